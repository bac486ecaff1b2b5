import { callHook } from '../../core/hook-call.ts';
import { sharedByCopies } from '../../core/real-process.ts';
import { sentence } from '../../core/sentence.ts';
import type { EndOfDelivery, RetryReport } from '../failure-policy.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import { safeText } from '../record/safe-json.ts';
import type { FailedOutcome, RetryableOutcome } from '../send/sender.ts';
import type { World } from '../world.ts';
import type { DeliveryEvent, DroppedRecords, LostRecords, Recovery } from './delivery-event.ts';
import { DropHook } from './drop-hook.ts';
import type { EventThrottle } from './event-throttle.ts';
import { type DropReason, type IngesterStats, NO_RECORDS, type WaitingRecords } from './ingester-stats.ts';
import type { Warnings } from './warnings.ts';

export interface DeliveryReports {
  /** Receives delivery events. Must not throw. */
  readonly onEvent?: ((event: DeliveryEvent) => void) | undefined;
  /** Called with each failed request. Must not throw. */
  readonly onFailure?: ((failure: FailedOutcome) => void) | undefined;
  /** Called with the number of records that the service has accepted. Must not throw. */
  readonly onDelivered?: ((records: number) => void) | undefined;
}

export interface DeliveryAccountingOptions extends DeliveryReports {
  readonly warnings: Warnings;
  readonly world: Pick<World, 'clock' | 'exit'>;
  /** Gets drops instead of {@link onEvent}, and combines them. */
  readonly events?: EventThrottle | undefined;
}

const undeliverable = sharedByCopies('undeliverable', () => ({ isReported: false }));

const CREDENTIALS_ADVICE =
  ' Check the token (ingestToken, LOGSCALE_INGEST_TOKEN), repository, baseUrl and proxy credentials.';

/** Counts what happens to each record, and reports losses to hooks, listeners and stderr. */
export class DeliveryAccounting {
  readonly #options: ResolvedIngesterOptions;
  readonly #targets: DeliveryAccountingOptions;
  readonly #counts = { ...NO_RECORDS, dropped: { ...NO_RECORDS.dropped } };
  #inherited = 0;
  /** Empty before the first failure, and after each accepted batch. */
  #lastFailure = '';
  /** `shown` are the warnings about it. */
  #outage: { readonly since: number; failedAttempts: number; readonly shown: Set<string> } | undefined;
  readonly #dropHook: DropHook;

  constructor(options: ResolvedIngesterOptions, targets: DeliveryAccountingOptions) {
    this.#options = options;
    this.#targets = targets;
    this.#dropHook = new DropHook(
      (reason, lost) => this.#callHook('onDrop', () => options.onDrop?.(dropOf(reason, lost))),
      targets.world,
    );
  }

  accepted(records = 1): void {
    this.#counts.accepted += records;
  }

  /** Counts records that are in the spool, and are about to be adopted. */
  inherited(records: number): void {
    this.#inherited += records;
    this.accepted(records);
  }

  adopted(records: number): void {
    const inherited = Math.min(records, this.#inherited);
    this.#inherited -= inherited;
    this.accepted(records - inherited);
  }

  redacted(values: number): void {
    this.#counts.redacted += values;
  }

  delivered(records: number): void {
    this.#counts.delivered += records;
    this.#counts.batches++;
    this.#targets.onDelivered?.(records);
    this.#lastFailure = '';
    this.#recovered();
  }

  retried(outcome: RetryableOutcome, report: RetryReport, isClosing = false): void {
    this.#counts.retried++;
    this.#failed(outcome);
    if (report === 'nothing') return;
    this.#outage ??= { since: this.#targets.world.clock.now(), failedAttempts: 0, shown: new Set() };
    this.#outage.failedAttempts++;
    const { shown } = this.#outage;
    const warn = (kind: 'attention' | 'retry', message: string): void => {
      if (this.#targets.warnings.report(kind, () => message)) shown.add(kind);
    };
    // Attention is asked for once per outage, which can last for days.
    if (report === 'attention' && !shown.has('attention')) {
      const delayS = this.#options.maxRetryDelayMs / 1000;
      const next = isClosing ? '' : ` Records stay queued and are retried every ${delayS} s.`;
      const advice = outcome.advice === undefined ? CREDENTIALS_ADVICE : '';
      const { host } = this.#options.connection.baseUrl;
      const to = this.#lastFailure.includes(host) ? '' : ` to ${host}`;
      warn('attention', `No records are being delivered${to}: ${this.#lastFailure}${advice}${next}`);
    }
    // A single quick failure is common, and the first retry usually succeeds.
    if (report === 'retry') warn('retry', `Records stay queued and are retried: ${this.#lastFailure}`);
  }

  overflowed(lost: LostRecords): void {
    this.#dropped('overflow', lost, (count) => {
      const { maxQueueBytes, spool } = this.#options;
      const full =
        spool === undefined
          ? `the queue is full (maxQueueBytes: ${maxQueueBytes})`
          : `the spool is full (maxBytes: ${spool.maxBytes}), or its disk failed and the queue in memory is full (maxQueueBytes: ${maxQueueBytes})`;
      return `${recordsWere(count)} dropped: ${full}.`;
    });
  }

  /** @param outcome of the request with the record. After a refusal, it is dropped because others are accepted. */
  rejected(lost: LostRecords, { reason, error }: FailedOutcome): void {
    this.#failed({ kind: 'rejected', statusCode: 0, reason, error });
    const failure = this.#lastFailure;
    this.#dropped(
      'rejected',
      lost,
      (count) => `${recordsWere(count)} dropped: rejected by the service. ${failure}`,
    );
  }

  closed(lost: LostRecords, when: EndOfDelivery): void {
    this.#dropped('closed', lost, (count) => {
      if (when === 'afterEnd') return `${recordsWere(count)} dropped: logged after close.`;
      if (when === 'atExit')
        return `${recordsWere(count)} dropped: the process exited before delivery. Wait for flush() or close() before process.exit().${this.#lastFailureNote}`;
      const waited = when === 'outOfTime' ? ` (closeTimeoutMs: ${this.#options.closeTimeoutMs})` : '';
      return `${recordsWere(count)} dropped: not delivered before close${waited}.${this.#lastFailureNote}`;
    });
    if (when !== 'afterEnd') this.#dropHook.flush();
  }

  /** Reported once in a thread. */
  undeliverable(lost: LostRecords, problem: string): void {
    const { warnings } = this.#targets;
    if (!undeliverable.isReported) warnings.reportAlways('attention', `Records are dropped. ${problem}`);
    undeliverable.isReported = true;
    this.#drop('closed', lost);
  }

  damaged(records: number, message: string): void {
    const lost = { length: records, read: () => [] };
    const why = sentence(message);
    this.#dropped('damaged', lost, (count) => `${recordsWere(count)} lost in the spool: ${why}`);
  }

  /** The record is not passed to hooks, because it may contain secrets. */
  unredactable(): void {
    this.#dropped('unredactable', { length: 1, read: () => [] }, (count) => {
      return `${recordsWere(count)} dropped: not searchable for secrets (redact), because of invalid JSON or too many levels.`;
    });
  }

  spoolTrouble(message: string, isRare = false): void {
    const { warnings } = this.#targets;
    if (isRare) warnings.reportAlways('spool', message);
    else warnings.report('spool', () => sentence(message));
  }

  /** Nothing is lost, but users should know where the records are. */
  leftInSpool(records: number, directory: string): void {
    if (records === 0) return;
    const remain = records === 1 ? 'record remains' : 'records remain';
    this.#targets.warnings.reportAlways(
      'spool',
      `${records} undelivered ${remain} in the spool ${directory} for the next process that uses it.${this.#lastFailureNote}`,
    );
  }

  reportLosses(): void {
    this.#dropHook.flush();
    this.#targets.warnings.reportLosses();
  }

  stats(waiting: WaitingRecords): IngesterStats {
    return Object.freeze({
      ...this.#counts,
      dropped: Object.freeze({ ...this.#counts.dropped }),
      ...waiting,
      spooledRecords: waiting.spooledRecords + this.#inherited,
    });
  }

  #failed(outcome: FailedOutcome): void {
    const advice = outcome.kind !== 'rejected' && outcome.advice ? ` ${outcome.advice}` : '';
    this.#lastFailure = sentence(outcome.reason) + advice;
    this.#targets.onFailure?.(outcome);
  }

  get #lastFailureNote(): string {
    return this.#lastFailure === '' ? '' : ` Last failure: ${this.#lastFailure}`;
  }

  #recovered(): void {
    if (this.#outage === undefined) return;
    const { since, failedAttempts, shown } = this.#outage;
    this.#outage = undefined;
    if (shown.size > 0) this.#targets.warnings.recovered();
    const outageMs = Math.max(0, this.#targets.world.clock.now() - since);
    const recovery: Recovery = { outageMs, failedAttempts };
    this.#targets.onEvent?.({ name: 'recovered', value: recovery });
    this.#callHook('onRecovered', () => this.#options.onRecovered?.(recovery));
  }

  #dropped(reason: DropReason, lost: LostRecords, messageFor: (count: number) => string): void {
    if (lost.length === 0) return;
    this.#drop(reason, lost, () => this.#targets.warnings.reportLoss(reason, lost.length, messageFor));
  }

  #drop(reason: DropReason, lost: LostRecords, warn = (): void => {}): void {
    this.#counts.dropped[reason] += lost.length;
    warn();
    this.#targets.events?.dropped({ reason, records: lost.length });
    if (this.#options.onDrop !== undefined) this.#dropHook.dropped(reason, lost);
  }

  /** A hook that fails must not stop the delivery of records. */
  #callHook(name: string, call: () => unknown): void {
    callHook(call, (error) => {
      const message = `The hook ${name} failed: ${sentence(safeText(error))}`;
      this.#targets.warnings.report('internal', () => message);
    });
  }
}

/** The events are decoded on demand. */
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

export function recordsWere(records: number): string {
  return records === 1 ? '1 record was' : `${records} records were`;
}
