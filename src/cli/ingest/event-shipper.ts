import type { IngesterOptions, Warning } from '../../index.ts';
import { resolveIngesterOptions } from '../../ingest/options.ts';
import { IngestPipeline } from '../../ingest/pipeline.ts';
import { createRecord } from '../../ingest/record/record.ts';
import { authenticationFailure, CommandFailure } from '../command-failure.ts';
import { BACKOFF, isAboutLines, patientCall } from './patient-call.ts';
import { LAST_SEND_MS, MAX_FIRST_REFUSALS, type Shipping } from './shipping.ts';

/** The longest time that an event waits for its batch to fill. */
const FLUSH_INTERVAL_MS = 200;
const LOOK_EVERY_MS = 500;
/** In UTF-16 units. Larger events are left to the ingester, which shortens them. */
const MAX_FIRST_LENGTH = 100_000;

/**
 * Ships events with fields. The first event of moderate size is sent alone, so that a wrong address or token fails at
 * once with a clear message. The ingester sends the rest.
 */
export class EventShipper {
  readonly #shipping: Shipping;
  readonly #pipeline: IngestPipeline;
  readonly #watch: NodeJS.Timeout;
  /** The request with the first event. */
  #contact: Promise<boolean> | undefined;
  #hasContact = false;
  #settled = 0;
  #lastProgress = performance.now();
  #lastFailure = '';

  constructor(shipping: Shipping) {
    this.#shipping = shipping;
    this.#pipeline = new IngestPipeline(resolveIngesterOptions(this.#options(), 'ingest'), {
      onFailure: ({ reason }) => {
        this.#lastFailure = reason;
      },
    });
    this.#watch = setInterval(() => this.#look(), LOOK_EVERY_MS);
    const { signal } = shipping;
    // Queued events may still be delivered while the ingester closes.
    signal.addEventListener('abort', () => void this.#pipeline.close(), { once: true });
  }

  /** Queues events; waits while the queue is full. */
  async add(eventTexts: readonly string[]): Promise<void> {
    const tagsText = this.#pipeline.tags.baseText;
    for (const eventText of eventTexts) {
      if (this.#shipping.signal.aborted) return;
      const mayBeFirst = !this.#hasContact && eventText.length <= MAX_FIRST_LENGTH;
      if (mayBeFirst && (await this.#isFirst(eventText, tagsText))) continue;
      await this.#hand(eventText);
    }
  }

  /** Resolves when every event is delivered or dropped. */
  async close(): Promise<void> {
    if (!this.#shipping.signal.aborted) await this.#pipeline.flush();
    await this.#pipeline.close();
    clearInterval(this.#watch);
    this.#shipping.tally.delivered += this.#pipeline.stats.delivered;
  }

  async #hand(eventText: string): Promise<void> {
    const record = createRecord(eventText, this.#pipeline.tags.baseText);
    while (!this.#pipeline.add(record)) await this.#pipeline.drained();
  }

  /** @returns whether the event was sent as the first one. */
  async #isFirst(eventText: string, tagsText: string): Promise<boolean> {
    while (this.#contact !== undefined) if (await this.#contact) return false;
    this.#contact = this.#tryWith(`[{"tags":${tagsText},"events":[${eventText}]}]`);
    this.#hasContact = await this.#contact;
    if (!this.#hasContact) this.#contact = undefined;
    return true;
  }

  /** @returns whether the service accepted it; false if it rejected only this event. */
  async #tryWith(body: string): Promise<boolean> {
    const { service, tally, signal, retryTimeoutMs, sayWait } = this.#shipping;
    try {
      await patientCall(() => service.sendStructured(body, signal), {
        signal,
        retryTimeoutMs,
        hasWorked: false,
        onWait: sayWait,
      });
      tally.delivered++;
      return true;
    } catch (error) {
      if (!isAboutLines(error) || tally.refused + 1 >= MAX_FIRST_REFUSALS) throw error;
      tally.refuse(1, error.message);
      return false;
    }
  }

  #options(): IngesterOptions {
    const { service, flags, retryTimeoutMs } = this.#shipping;
    return {
      ...service.target,
      tags: flags.tag,
      overflow: 'block',
      closeTimeoutMs: Math.min(LAST_SEND_MS, retryTimeoutMs),
      flushIntervalMs: FLUSH_INTERVAL_MS,
      minRetryDelayMs: BACKOFF.minDelayMs,
      maxRetryDelayMs: BACKOFF.maxDelayMs,
      onWarning: (warning) => this.#warned(warning),
      onDrop: ({ reason, records }) => {
        if (reason !== 'closed') this.#shipping.tally.refuse(records, this.#lastFailure);
      },
    };
  }

  #warned({ kind, message }: Warning): void {
    const { flags, say, stop } = this.#shipping;
    // The summary reports these.
    if (kind === 'closed' || (kind === 'rejected' && flags.follow !== true)) return;
    // With --follow, keep retrying until the problem is fixed.
    if (kind !== 'attention' || flags.follow === true) say(message);
    else stop(attentionFailure(this.#lastFailure));
  }

  /** Ends the command when the service has accepted nothing for too long. */
  #look(): void {
    const { accepted, delivered, dropped } = this.#pipeline.stats;
    const settled = Object.values(dropped).reduce((sum, records) => sum + records, delivered);
    if (settled !== this.#settled || settled === accepted) this.#lastProgress = performance.now();
    this.#settled = settled;
    if (performance.now() - this.#lastProgress < this.#shipping.retryTimeoutMs) return;
    const seconds = Math.round(this.#shipping.retryTimeoutMs / 1000);
    this.#shipping.stop(
      new CommandFailure(
        `the service has accepted nothing for ${seconds} s (--retry-timeout). ${this.#lastFailure}`.trim(),
      ),
    );
  }
}

/** The service accepted lines at first and now rejects the token or the address. */
function attentionFailure(reason: string): CommandFailure {
  const message = `the service stopped accepting lines. ${reason}`;
  return /(?:status|responded) 40[13]/.test(reason)
    ? authenticationFailure(message)
    : new CommandFailure(message);
}
