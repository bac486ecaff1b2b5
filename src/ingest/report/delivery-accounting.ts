import type { Clock } from '../../internal/clock.ts';
import { callHook } from '../../internal/hook-call.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import { safeText } from '../record/safe-json.ts';
import type { RetryableOutcome } from '../send/sender.ts';
import type { DeliveryObserver } from './delivery-observer.ts';
import { DropHook } from './drop-hook.ts';
import type { DroppedRecords } from './dropped-records.ts';
import { type DropReason, type IngesterStats, RecordCounter, type WaitingRecords } from './ingester-stats.ts';
import type { LostRecords } from './lost-records.ts';
import type { Warnings } from './warnings.ts';

/** Keeps the books of an ingester: counts what happens to records, and tells the hooks and people about losses. */
export class DeliveryAccounting {
  readonly #options: ResolvedIngesterOptions;
  readonly #warnings: Warnings;
  readonly #counter = new RecordCounter();
  readonly #clock: Clock;
  readonly #observer: DeliveryObserver;
  #lastFailure = '';
  /** The failed attempts since the service last took something. */
  #outage: { readonly since: number; failedAttempts: number } | undefined;
  /** Told of once in an outage, for it can last until somebody comes to work. */
  #toldOfAttention = false;
  readonly #dropHook: DropHook;

  constructor(
    options: ResolvedIngesterOptions,
    { warnings, clock, observer }: { warnings: Warnings; clock: Clock; observer: DeliveryObserver },
  ) {
    this.#options = options;
    this.#warnings = warnings;
    this.#clock = clock;
    this.#observer = observer;
    this.#dropHook = new DropHook((reason, lost) => this.#callHook('onDrop', dropOf(reason, lost)), clock);
  }

  accepted(records = 1): void {
    this.#counter.accept(records);
  }

  delivered(records: number, batches = 1): void {
    this.#counter.deliver(records, batches);
    this.#toldOfAttention = false;
    if (this.#outage !== undefined) this.#recovered(this.#outage);
  }

  retried(outcome: RetryableOutcome, attempt: number): void {
    this.#counter.retry();
    this.#failed(outcome.reason);
    this.#outage ??= { since: this.#clock.now(), failedAttempts: 0 };
    this.#outage.failedAttempts++;
    if (outcome.needsAttention) {
      this.#toldOfAttention ||= this.#warnings.report(
        'attention',
        () =>
          `No records are being delivered to ${this.#options.connection.baseUrl.host}: ${sentence(outcome.reason)} Check the token, repository, baseUrl and proxy credentials. Records stay queued and are retried every ${this.#options.maxRetryDelayMs / 1000} s.`,
      );
    } else if (attempt > 1 || outcome.tookLong) {
      // A single quick failure is everyday; the first retry takes care of it.
      this.#warnings.report(
        'retry',
        () => `Records stay queued and are retried: ${sentence(outcome.reason)}`,
      );
    }
  }

  overflowed(lost: LostRecords): void {
    this.#dropped('overflow', lost, (count) => {
      const { maxQueueBytes, spool } = this.#options;
      const full =
        spool === undefined
          ? `the queue is full (maxQueueBytes: ${maxQueueBytes})`
          : `the spool is full (maxBytes: ${spool.maxBytes}), or its disk failed and the queue in memory is full (maxQueueBytes: ${maxQueueBytes})`;
      return `${countOf(count)} dropped: ${full}.`;
    });
  }

  rejected(lost: LostRecords, reason: string): void {
    this.#failed(reason);
    this.#dropped(
      'rejected',
      lost,
      (count) => `${countOf(count)} dropped: rejected by the service. ${sentence(reason)}`,
    );
  }

  /** @param when at what point of the end the records were given up. */
  closed(lost: LostRecords, when: 'outOfTime' | 'atExit' | 'afterEnd'): void {
    this.#dropped('closed', lost, (count) => {
      if (when === 'afterEnd') return `${countOf(count)} dropped: logged after close.`;
      const failure = this.#lastFailure === '' ? '' : ` Last failure: ${sentence(this.#lastFailure)}`;
      if (when === 'atExit')
        return `${countOf(count)} dropped: the process exited before delivery. Wait for flush() or close() before process.exit().${failure}`;
      const { closeTimeoutMs } = this.#options;
      return `${countOf(count)} dropped: not delivered before close (closeTimeoutMs: ${closeTimeoutMs}).${failure}`;
    });
    if (when !== 'afterEnd') this.#dropHook.tellAll();
  }

  /** The disk does not give records back. */
  damaged(records: number, message: string): void {
    this.#dropped('damaged', { length: records, read: () => [] }, (count) => {
      return `${countOf(count)} lost in the spool: ${sentence(message)}`;
    });
  }

  spoolTrouble(message: string): void {
    this.#warnings.report('spool', () => sentence(message));
  }

  /** Nobody has lost anything, but somebody should know where the records are. */
  leftInSpool(records: number, directory: string): void {
    if (records === 0) return;
    const failure = this.#lastFailure === '' ? '' : ` Last failure: ${sentence(this.#lastFailure)}`;
    const remain = records === 1 ? 'record remains' : 'records remain';
    this.#warnings.tell(
      'spool',
      `${records} undelivered ${remain} in the spool ${directory} for the next process that uses it.${failure}`,
    );
  }

  /** Tells of losses that nobody has been told of, for there may be no later. */
  tellLosses(): void {
    this.#dropHook.tellAll();
    this.#warnings.tellLosses();
  }

  stats(waiting: WaitingRecords): IngesterStats {
    return this.#counter.snapshot(waiting);
  }

  #failed(reason: string): void {
    this.#lastFailure = reason;
    this.#observer.failed?.(reason);
  }

  #recovered({ since, failedAttempts }: { since: number; failedAttempts: number }): void {
    this.#outage = undefined;
    const recovery = { outageMs: Math.max(0, this.#clock.now() - since), failedAttempts };
    this.#observer.recovered?.(recovery);
    this.#callHook('onRecovered', recovery);
  }

  #dropped(reason: DropReason, lost: LostRecords, messageFor: (count: number) => string): void {
    if (lost.length === 0) return;
    this.#counter.drop(reason, lost.length);
    this.#warnings.reportLoss(reason, lost.length, messageFor);
    this.#observer.dropped?.(dropOf(reason, lost));
    if (this.#options.onDrop === undefined) lost.release?.();
    else this.#dropHook.dropped(reason, lost);
  }

  /** A hook that fails must not stop the delivery of records. */
  #callHook<Name extends 'onDrop' | 'onRecovered'>(
    name: Name,
    value: Parameters<NonNullable<ResolvedIngesterOptions[Name]>>[0],
  ): void {
    const hook = this.#options[name] as ((given: typeof value) => unknown) | undefined;
    callHook(
      () => hook?.(value),
      (error) =>
        this.#warnings.report('internal', () => `The hook ${name} failed: ${sentence(safeText(error))}`),
    );
  }
}

/** The texts are read when somebody wants them. */
function dropOf(reason: DropReason, { length, read }: LostRecords): DroppedRecords {
  let events: readonly string[] | undefined;
  return {
    reason,
    records: length,
    get events() {
      events ??= read().map(({ eventText }) => eventText);
      return events;
    },
  };
}

/** What a service says may end without a full stop. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function countOf(records: number): string {
  return records === 1 ? '1 record was' : `${records} records were`;
}
