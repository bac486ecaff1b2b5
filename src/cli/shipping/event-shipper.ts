import { Ingester, type IngesterOptions, type Warning } from '../../index.ts';
import { authenticationFailure, CommandFailure } from '../command-failure.ts';
import { BACKOFF, isAboutLines, patientCall } from './patient-call.ts';
import { LAST_SEND_MS, MAX_FIRST_REFUSALS, type Shipping } from './shipping.ts';

/** No event waits longer for others to come. */
const FLUSH_INTERVAL_MS = 200;
const LOOK_EVERY_MS = 500;
/** In UTF-16 units. The ingester shortens what is too large for the service, and it does so alone. */
const MAX_FIRST_LENGTH = 100_000;

/**
 * Ships events with fields. The first one of moderate size goes alone: what is wrong with the address or the token shows
 * there, and is told as what it is. The rest is the ingester's.
 */
export class EventShipper {
  readonly #shipping: Shipping;
  readonly #ingester: Ingester;
  readonly #watch: NodeJS.Timeout;
  /** The attempt to ship the first event. */
  #contact: Promise<boolean> | undefined;
  #hasContact = false;
  #settled = 0;
  #lastProgress = performance.now();
  #lastFailure = '';

  constructor(shipping: Shipping) {
    this.#shipping = shipping;
    this.#ingester = new Ingester(this.#options(), {
      failed: (reason) => {
        this.#lastFailure = reason;
      },
      dropped: ({ reason, records }) => {
        if (reason !== 'closed') shipping.tally.refuse(records, this.#lastFailure);
      },
    });
    this.#watch = setInterval(() => this.#look(), LOOK_EVERY_MS);
    const { signal } = shipping;
    // What waits may still be delivered, for as long as the ingester takes to close.
    signal.addEventListener('abort', () => void this.#ingester.close(), { once: true });
  }

  /** Takes events, and waits while there is no room for more. */
  async add(eventTexts: readonly string[]): Promise<void> {
    const tagsText = this.#ingester.tags.baseText;
    for (const eventText of eventTexts) {
      if (this.#shipping.signal.aborted) return;
      const mayBeFirst = !this.#hasContact && eventText.length <= MAX_FIRST_LENGTH;
      if (mayBeFirst && (await this.#isFirst(eventText, tagsText))) continue;
      await this.#hand(eventText);
    }
  }

  /** Resolves when everything is delivered or given up. */
  async close(): Promise<void> {
    if (!this.#shipping.signal.aborted) await this.#ingester.flush();
    await this.#ingester.close();
    clearInterval(this.#watch);
    this.#shipping.tally.delivered += this.#ingester.stats.delivered;
  }

  async #hand(eventText: string): Promise<void> {
    while (!this.#ingester.addText(eventText)) await this.#ingester.drained();
  }

  /** @returns whether the event is settled: it was the one to try the service with. */
  async #isFirst(eventText: string, tagsText: string): Promise<boolean> {
    while (this.#contact !== undefined) if (await this.#contact) return false;
    this.#contact = this.#tryWith(`[{"tags":${tagsText},"events":[${eventText}]}]`);
    this.#hasContact = await this.#contact;
    if (!this.#hasContact) this.#contact = undefined;
    return true;
  }

  /** @returns whether the service took it; it may have been a bad event, after all. */
  async #tryWith(body: string): Promise<boolean> {
    const { service, tally, signal, patienceMs, sayWait } = this.#shipping;
    try {
      await patientCall(() => service.sendStructured(body, signal), {
        signal,
        patienceMs,
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
    const { service, flags, patienceMs } = this.#shipping;
    return {
      ...service.target,
      tags: flags.tag,
      overflow: 'block',
      closeTimeoutMs: Math.min(LAST_SEND_MS, patienceMs),
      flushIntervalMs: FLUSH_INTERVAL_MS,
      minRetryDelayMs: BACKOFF.minDelayMs,
      maxRetryDelayMs: BACKOFF.maxDelayMs,
      onWarning: (warning) => this.#warned(warning),
    };
  }

  #warned({ kind, message }: Warning): void {
    const { flags, say, stop } = this.#shipping;
    // The summary tells of what was lost.
    if (kind === 'closed' || (kind === 'rejected' && flags.follow !== true)) return;
    // A command that goes on can wait until somebody mends what is wrong.
    if (kind !== 'attention' || flags.follow === true) say(message);
    else stop(attentionFailure(this.#lastFailure));
  }

  /** Ends the command when the service has taken nothing for too long. */
  #look(): void {
    const { accepted, delivered, dropped } = this.#ingester.stats;
    const settled = Object.values(dropped).reduce((sum, records) => sum + records, delivered);
    if (settled !== this.#settled || settled === accepted) this.#lastProgress = performance.now();
    this.#settled = settled;
    if (performance.now() - this.#lastProgress < this.#shipping.patienceMs) return;
    const seconds = Math.round(this.#shipping.patienceMs / 1000);
    this.#shipping.stop(
      new CommandFailure(`the service has taken nothing for ${seconds} s. ${this.#lastFailure}`.trim()),
    );
  }
}

/** A token that was taken at first, and is not any more; or an address that has moved. */
function attentionFailure(reason: string): CommandFailure {
  const message = `the service takes no more lines. ${reason}`;
  return /status 40[13]/.test(reason) ? authenticationFailure(message) : new CommandFailure(message);
}
