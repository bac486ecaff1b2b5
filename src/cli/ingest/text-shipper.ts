import { isAboutLines, patientCall } from './patient-call.ts';
import { LAST_SEND_MS, MAX_FIRST_REFUSALS, type Shipping } from './shipping.ts';

const MAX_LINES = 5_000;
/** In UTF-16 units; the service accepts several megabytes. */
const MAX_LENGTH = 1024 * 1024;
/** The longest time that a line waits for its batch to fill. */
const MAX_WAIT_MS = 200;

/**
 * Ships lines as text for a parser, one request at a time, in input order. If the service rejects a request, the shipper
 * splits it to isolate the rejected lines.
 */
export class TextShipper {
  readonly #shipping: Shipping;
  readonly #sending = new AbortController();
  #lines: string[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #shippingLines: Promise<void> = Promise.resolve();
  #waiting = 0;
  #delivered = 0;
  #refused = 0;

  constructor(shipping: Shipping) {
    this.#shipping = shipping;
  }

  /** Queues lines; waits while two requests are pending. */
  async add(lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      if (this.#shipping.signal.aborted) return;
      this.#lines.push(line);
      this.#length += line.length;
      if (this.#lines.length >= MAX_LINES || this.#length >= MAX_LENGTH) this.#ship();
      if (this.#waiting > 1) await this.#shippingLines;
    }
    if (this.#lines.length > 0) this.#timer ??= setTimeout(() => this.#ship(), MAX_WAIT_MS);
  }

  /** Sends the remaining lines. */
  async close(): Promise<void> {
    const { signal } = this.#shipping;
    this.#ship();
    const hurry = (): void => {
      timer ??= setTimeout(() => this.#sending.abort(signal.reason), LAST_SEND_MS);
    };
    let timer: NodeJS.Timeout | undefined;
    if (signal.aborted) hurry();
    else signal.addEventListener('abort', hurry, { once: true });
    await this.#shippingLines;
    signal.removeEventListener('abort', hurry);
    clearTimeout(timer);
  }

  #ship(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const lines = this.#lines;
    this.#lines = [];
    this.#length = 0;
    this.#waiting++;
    this.#shippingLines = this.#shippingLines
      .then(() => this.#send(lines))
      .catch((error: unknown) => this.#shipping.stop(error))
      .finally(() => {
        this.#waiting--;
      });
  }

  async #send(lines: readonly string[]): Promise<void> {
    const { service, tally, retryTimeoutMs, sayWait } = this.#shipping;
    const { signal } = this.#sending;
    try {
      await patientCall(() => service.sendUnstructured(this.#body(lines), signal), {
        signal,
        retryTimeoutMs,
        hasWorked: this.#delivered > 0,
        onWait: sayWait,
      });
      this.#delivered += lines.length;
      tally.delivered += lines.length;
    } catch (error) {
      if (!isAboutLines(error)) throw error;
      if (lines.length > 1) {
        const middle = lines.length >> 1;
        await this.#send(lines.slice(0, middle));
        await this.#send(lines.slice(middle));
        return;
      }
      this.#refused++;
      if (this.#delivered === 0 && this.#refused >= MAX_FIRST_REFUSALS) throw error;
      tally.refuse(1, error.message);
    }
  }

  #body(messages: readonly string[]): string {
    const { parser: type, field: fields, tag: tags } = this.#shipping.flags;
    return JSON.stringify([{ messages, type, fields, tags }]);
  }
}
