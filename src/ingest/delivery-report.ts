import type { Clock } from '../internal/clock.ts';
import type { IngesterObserver } from './ingester-observer.ts';
import type { ResolvedIngesterOptions } from './ingester-options.ts';
import { type DropReason, type IngesterStats, RecordCounter } from './ingester-stats.ts';
import type { IngestRecord } from './record.ts';
import type { RetryableOutcome } from './sender.ts';
import type { Warnings } from './warnings.ts';

/** Keeps the books of an ingester: counts what happens to records, and tells the hooks and people about losses. */
export class DeliveryReport {
  readonly #options: ResolvedIngesterOptions;
  readonly #warnings: Warnings;
  readonly #counter = new RecordCounter();
  readonly #clock: Clock;
  readonly #observer: IngesterObserver;
  #lastFailure = '';
  /** The failed attempts since the service last took something. */
  #outage: { readonly since: number; failedAttempts: number } | undefined;
  /** Told of once in an outage, for it can last until somebody comes to work. */
  #toldOfAttention = false;
  #isTellingOfDrop = false;

  constructor(
    options: ResolvedIngesterOptions,
    { warnings, clock, observer }: { warnings: Warnings; clock: Clock; observer: IngesterObserver },
  ) {
    this.#options = options;
    this.#warnings = warnings;
    this.#clock = clock;
    this.#observer = observer;
  }

  accepted(): void {
    this.#counter.accept();
  }

  delivered(records: number): void {
    this.#counter.deliver(records);
    this.#toldOfAttention = false;
    if (this.#outage !== undefined) this.#recovered(this.#outage);
  }

  retried(outcome: RetryableOutcome, attempt: number): void {
    this.#counter.retry();
    this.#lastFailure = outcome.reason;
    this.#outage ??= { since: this.#clock.now(), failedAttempts: 0 };
    this.#outage.failedAttempts++;
    if (outcome.needsAttention) {
      this.#toldOfAttention ||= this.#warnings.report(
        'attention',
        () =>
          `NO RECORDS ARE DELIVERED to ${this.#options.connection.baseUrl.host}: ${sentence(outcome.reason)} Check token, repository and baseUrl. The records are kept and sent again.`,
      );
    } else if (attempt > 1 || outcome.tookLong) {
      // A single quick failure is everyday; the first retry takes care of it.
      this.#warnings.report('retry', () => `Records are kept and sent again: ${sentence(outcome.reason)}`);
    }
  }

  overflowed(records: readonly IngestRecord[]): void {
    this.#dropped('overflow', records, (count) => {
      const { maxQueueBytes } = this.#options;
      return `${countOf(count)} dropped: the queue is full (maxQueueBytes: ${maxQueueBytes}).`;
    });
  }

  rejected(records: readonly IngestRecord[], reason: string): void {
    this.#lastFailure = reason;
    this.#dropped(
      'rejected',
      records,
      (count) => `${countOf(count)} dropped: the service refuses them. ${sentence(reason)}`,
    );
  }

  /** @param when at what point of the end the records were given up. */
  closed(records: readonly IngestRecord[], when: 'outOfTime' | 'atExit' | 'afterEnd'): void {
    this.#dropped('closed', records, (count) => {
      if (when === 'afterEnd') return `${countOf(count)} dropped: they were logged after the end.`;
      const failure = this.#lastFailure === '' ? '' : ` Last failure: ${sentence(this.#lastFailure)}`;
      if (when === 'atExit')
        return `${countOf(count)} dropped: the process ended before they were delivered.${failure}`;
      const { closeTimeoutMs } = this.#options;
      return `${countOf(count)} dropped: the service did not take them in time (closeTimeoutMs: ${closeTimeoutMs}).${failure}`;
    });
  }

  stats(waiting: Pick<IngesterStats, 'queuedRecords' | 'queuedBytes' | 'inFlightRecords'>): IngesterStats {
    return this.#counter.snapshot(waiting);
  }

  #recovered({ since, failedAttempts }: { since: number; failedAttempts: number }): void {
    this.#outage = undefined;
    const recovery = { outageMs: Math.max(0, this.#clock.now() - since), failedAttempts };
    this.#observer.recovered?.(recovery);
    this.#callHook('onRecovered', recovery);
  }

  #dropped(
    reason: DropReason,
    records: readonly IngestRecord[],
    messageFor: (count: number) => string,
  ): void {
    if (records.length === 0) return;
    this.#counter.drop(reason, records.length);
    this.#warnings.reportLoss(reason, records.length, messageFor);
    const drop = { reason, records: records.length, events: records.map(({ eventText }) => eventText) };
    this.#observer.dropped?.(drop);
    // A hook may log what it hears of; what that displaces must not call it again, and so on.
    if (this.#isTellingOfDrop) return;
    this.#isTellingOfDrop = true;
    this.#callHook('onDrop', drop);
    this.#isTellingOfDrop = false;
  }

  /** A hook that fails must not stop the delivery of records. */
  #callHook<Name extends 'onDrop' | 'onRecovered'>(
    name: Name,
    value: Parameters<NonNullable<ResolvedIngesterOptions[Name]>>[0],
  ): void {
    try {
      (this.#options[name] as ((given: typeof value) => void) | undefined)?.(value);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#warnings.report('internal', () => `The hook ${name} failed: ${sentence(message)}`);
    }
  }
}

/** What a service says may end without a full stop. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function countOf(records: number): string {
  return records === 1 ? '1 record was' : `${records} records were`;
}
