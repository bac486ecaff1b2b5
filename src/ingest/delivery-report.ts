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
  #lastFailure = '';

  constructor(options: ResolvedIngesterOptions, warnings: Warnings) {
    this.#options = options;
    this.#warnings = warnings;
  }

  accepted(): void {
    this.#counter.accept();
  }

  delivered(records: number): void {
    this.#counter.deliver(records);
  }

  retried(outcome: RetryableOutcome, attempt: number): void {
    this.#counter.retry();
    this.#lastFailure = outcome.reason;
    if (outcome.needsAttention) {
      this.#warnings.report(
        'attention',
        () =>
          `NO RECORDS ARE DELIVERED to ${this.#options.connection.baseUrl.host}: ${outcome.reason} Check token, repository and baseUrl. The records are kept and sent again.`,
      );
    } else if (attempt > 1) {
      // A single failure is everyday; the first retry takes care of it.
      this.#warnings.report('retry', () => `Records are kept and sent again: ${outcome.reason}`);
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
      (count) => `${countOf(count)} dropped: the service refuses them. ${reason}`,
    );
  }

  /** @param when at what point of the end the records were given up. */
  closed(records: readonly IngestRecord[], when: 'outOfTime' | 'atExit' | 'afterEnd'): void {
    this.#dropped('closed', records, (count) => {
      if (when === 'afterEnd') return `${countOf(count)} dropped: they were logged after the end.`;
      const failure = this.#lastFailure === '' ? '' : ` ${this.#lastFailure}`;
      if (when === 'atExit')
        return `${countOf(count)} dropped: the process ended before they were delivered.${failure}`;
      const { closeTimeoutMs } = this.#options;
      return `${countOf(count)} dropped: the service did not take them in time (closeTimeoutMs: ${closeTimeoutMs}).${failure}`;
    });
  }

  stats(waiting: Pick<IngesterStats, 'queuedRecords' | 'queuedBytes' | 'inFlightRecords'>): IngesterStats {
    return this.#counter.snapshot(waiting);
  }

  #dropped(
    reason: DropReason,
    records: readonly IngestRecord[],
    messageFor: (count: number) => string,
  ): void {
    if (records.length === 0) return;
    this.#counter.drop(reason, records.length);
    this.#warnings.report(reason, messageFor, records.length);
    try {
      this.#options.onDrop?.({ reason, events: records.map(({ eventText }) => eventText) });
    } catch {
      // A hook that throws must not stop the delivery of other records.
    }
  }
}

function countOf(records: number): string {
  return records === 1 ? '1 record was' : `${records} records were`;
}
