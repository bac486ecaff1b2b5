import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../../../core/errors.ts';
import type { ResolvedIngesterOptions } from '../../../ingest/options.ts';
import { type FailedOutcome, IngestPipeline } from '../../../ingest/pipeline.ts';
import { authenticationFailure, CommandFailure } from '../../output/command-failure.ts';
import { withFlagNames } from '../../output/flag-names.ts';
import type { SourceRecord } from '../../settings/line-sources.ts';
import type { Shipping } from './shipping.ts';

/** The command gives up after this many rejected lines without an accepted one. */
const MAX_FIRST_REJECTIONS = 10;

/** Ships events, or lines of text, and decides which failures end the command. */
export class LineShipper {
  readonly #shipping: Shipping;
  readonly #maxBytes: number;
  readonly #pipeline: IngestPipeline;
  /** Records from {@link #firstNumber} of the pipeline on, as added. */
  readonly #unsettled: SourceRecord[] = [];
  #firstNumber: number;
  /** Why the service rejected the first line. */
  #rejection = 'a line is too long.';
  #lastFailure = '';
  /** Failed ones of the current outage. */
  #attempts = 0;
  /** Runs while requests fail. */
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(options: ResolvedIngesterOptions, shipping: Shipping) {
    this.#shipping = shipping;
    this.#maxBytes = options.maxEventBytes;
    const { flags, signal } = shipping;
    const hooks: Partial<ResolvedIngesterOptions> = {
      onWarning: ({ kind, message }) => {
        // The end of the command reports lost lines.
        if (signal.aborted || (flags.follow !== true && kind !== 'retry')) return;
        if (kind === 'retry' || kind === 'attention') shipping.failing(this, message, this.#attempts);
        else shipping.say(message);
      },
      onRecovered: () => {
        this.#stopTimer();
        this.#attempts = 0;
        shipping.obstacle = undefined;
        shipping.recovered(this);
      },
    };
    this.#pipeline = new IngestPipeline(
      { ...options, ...hooks },
      { onDelivered: () => this.#settle(), onFailure: (outcome) => this.#failed(outcome) },
    );
    this.#firstNumber = this.#pipeline.numbers.nextNumber;
    // Queued lines may still be delivered while the pipeline closes.
    signal.addEventListener('abort', () => void this.#pipeline.close(), { once: true });
  }

  /** Queues a record as JSON; waits while the queue is full. The tags of flags override `tags`. @returns false if aborted */
  async add(record: SourceRecord, json: string, tags?: object): Promise<boolean> {
    const { signal, flags } = this.#shipping;
    const { backpressure, numbers } = this.#pipeline;
    const own = tags && { ...tags, ...flags.tag };
    while (!signal.aborted) {
      const { nextNumber } = numbers;
      const isTaken = this.#pipeline.addText(json, own);
      // Without a number, it was dropped: it is too large, or can't be searched for secrets.
      if (numbers.nextNumber > nextNumber) this.#unsettled.push(record);
      if (isTaken && Buffer.byteLength(json) > this.#maxBytes) this.#shipping.shortened++;
      if (isTaken) return true;
      await backpressure.drained();
    }
    return false;
  }

  /** The first record that is neither delivered nor rejected. */
  get first(): SourceRecord | undefined {
    return this.#unsettled[0];
  }

  /** Forgets the records that were delivered or rejected. */
  #settle(): void {
    const { settledBefore } = this.#pipeline.numbers;
    this.#unsettled.splice(0, settledBefore - this.#firstNumber);
    this.#firstNumber = settledBefore;
  }

  /** Resolves when every record is delivered or dropped. */
  async close(): Promise<void> {
    const { signal } = this.#shipping;
    while (!signal.aborted && !(await this.#pipeline.flush())); // In an outage, --retry-timeout decides.
    await this.#pipeline.close();
    this.#stopTimer();
    const { delivered, dropped } = this.#pipeline.stats;
    this.#shipping.delivered += delivered;
    this.#shipping.reject(dropped.rejected + dropped.overflow, this.#rejection);
    this.#shipping.reject(
      dropped.unredactable,
      "a line can't be searched for secrets: it is nested too deeply.",
    );
  }

  #failed(outcome: FailedOutcome): void {
    this.#settle();
    const { delivered, dropped } = this.#pipeline.stats;
    const isFirst = delivered === 0;
    if (outcome.kind === 'rejected') {
      this.#stopTimer();
      if (dropped.rejected === 0) this.#rejection = outcome.reason;
      if (isFirst && dropped.rejected + 1 >= MAX_FIRST_REJECTIONS) this.#end(firstFailure(outcome));
      return;
    }
    this.#lastFailure = withFlagNames(outcome.reason);
    this.#attempts++;
    const shipping = this.#shipping;
    const { flags, retryTimeoutSeconds } = shipping;
    const { needsAttention = false, error } = outcome;
    const isConnection = error instanceof LogConnectionException;
    const { code } = ((isConnection && error.cause) || {}) as { readonly code?: unknown };
    const mayStart = flags.retryTimeout !== undefined || (flags.follow === true && code === 'ECONNREFUSED');
    shipping.obstacle = needsAttention ? laterFailure(outcome) : undefined;
    // Before the first delivery, a failed connection probably means a wrong address.
    if (isFirst && (needsAttention || (isConnection && !mayStart))) this.#end(firstFailure(outcome));
    else if (needsAttention && flags.follow !== true) this.#end(shipping.obstacle);
    else if (Number.isFinite(retryTimeoutSeconds)) {
      // A request without a response has taken a part of the time.
      const waitedMs = error instanceof LogTimeoutException ? error.timeoutMs : 0;
      const leftMs = retryTimeoutSeconds * 1000 - waitedMs;
      this.#retryTimer ??= setTimeout(() => {
        const message = `the service has accepted nothing for ${retryTimeoutSeconds} s (--retry-timeout).`;
        this.#end(isFirst ? firstFailure(outcome) : new CommandFailure(`${message} ${this.#lastFailure}`));
      }, leftMs);
    }
  }

  #end(error: unknown): void {
    this.#shipping.stop(error);
    this.#pipeline.abandon();
  }

  #stopTimer(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
  }
}

/** The failure of a service that has accepted nothing. The command describes an exception in its own terms. */
function firstFailure({ error, reason }: FailedOutcome): unknown {
  return error ?? new CommandFailure(`${reason}. Check the address.`);
}

/** The service accepted lines at first and now rejects the token or the address. */
function laterFailure({ error, reason }: FailedOutcome): CommandFailure {
  const message = `the service stopped accepting lines. ${reason}`;
  const isAboutToken = error instanceof LogHTTPException && [401, 403].includes(error.statusCode);
  return isAboutToken ? authenticationFailure(message) : new CommandFailure(message);
}
