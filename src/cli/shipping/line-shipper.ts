import { forwardAbort } from '../../internal/forward-abort.ts';

/** Sends some lines. @throws when they can't be delivered */
export type SendLines = (lines: readonly string[], signal: AbortSignal) => Promise<void>;

export interface LineShipperOptions {
  readonly send: SendLines;
  readonly signal: AbortSignal;
}

const MAX_LINES = 5_000;
/** In UTF-16 units; the service takes several megabytes. */
const MAX_LENGTH = 1024 * 1024;
/** No line waits longer for others to come. */
const MAX_WAIT_MS = 200;
/** What waits may still be delivered when the command is stopped. */
const LAST_SEND_MS = 5_000;

/** Gathers lines and sends them, one request after the other, in their order. */
export class LineShipper {
  readonly #send: SendLines;
  readonly #sending = new AbortController();
  readonly #failing = new AbortController();
  #lines: string[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #shipping: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor({ send, signal }: LineShipperOptions) {
    this.#send = send;
    forwardAbort(signal, this.#failing);
  }

  /** Aborts when there is no point in reading on: lines could not be delivered, or the command is stopped. */
  get signal(): AbortSignal {
    return this.#failing.signal;
  }

  /** Takes lines, and waits while two requests are behind. @throws what the sending threw */
  async add(lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      if (line.trim() === '') continue;
      this.#lines.push(line);
      this.#length += line.length;
      if (this.#lines.length >= MAX_LINES || this.#length >= MAX_LENGTH) this.#ship();
      if (this.#waiting > 1) await this.#shipping;
    }
    if (this.#lines.length > 0) this.#timer ??= setTimeout(() => this.#ship(), MAX_WAIT_MS);
  }

  /** Sends what is left. @throws what the sending threw */
  async close(): Promise<void> {
    this.#ship();
    const timer = this.#failing.signal.aborted
      ? setTimeout(() => this.#sending.abort(this.#failing.signal.reason), LAST_SEND_MS)
      : undefined;
    try {
      await this.#shipping;
    } finally {
      clearTimeout(timer);
    }
  }

  #ship(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const lines = this.#lines;
    this.#lines = [];
    this.#length = 0;
    this.#waiting++;
    this.#shipping = this.#shipping
      .then(() => this.#send(lines, this.#sending.signal))
      .finally(() => {
        this.#waiting--;
      });
    // Whoever adds or closes next hears of a failure; until then it must not end the process.
    this.#shipping.catch((error: unknown) => this.#failing.abort(error));
  }
}
