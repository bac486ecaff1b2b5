import type { Timer } from '../core/clock.ts';
import { keepAlive } from '../core/keep-alive.ts';
import { Backlog, lostRecords } from './backlog.ts';
import { Backpressure, type BackpressureLimits } from './backpressure.ts';
import { BatchSizeLimit, MIN_BATCH_BYTES } from './batch/batch-size-limit.ts';
import { BatchScheduler } from './batch-scheduler.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { type EndOfDelivery, FailurePolicy } from './failure-policy.ts';
import type { ResolvedIngesterOptions } from './options.ts';
import { deliverAtExit } from './process/exit-delivery.ts';
import type { ProcessExitListener } from './process/process-exit.ts';
import { watchSignals } from './process/process-signals.ts';
import { HecEncoder } from './record/hec-encoder.ts';
import { limitNames } from './record/limit-names.ts';
import { createRecord, type IngestRecord } from './record/record.ts';
import { RecordRedactor } from './record/record-redactor.ts';
import { shortenEvent } from './record/shorten-event.ts';
import { TagWriter } from './record/tags.ts';
import { DeliveryAccounting, type DeliveryReports } from './report/delivery-accounting.ts';
import { EventThrottle } from './report/event-throttle.ts';
import { type IngesterStats, settledRecords } from './report/ingester-stats.ts';
import { Warnings } from './report/warnings.ts';
import { ServiceCheck } from './send/service-check.ts';
import { realWorld, type World } from './world.ts';

export { DELIVERED_AGAIN } from './report/warnings.ts';
export type { FailedOutcome } from './send/sender.ts';

/** Interval of the search for records that exited processes have left in the spool. */
const ADOPTION_INTERVAL_MS = 15_000;

export interface PipelineOptions extends DeliveryReports {
  /**
   * Applies backpressure to the writer while the service accepts less than is written, within these limits. For worker
   * threads: the writing thread continues, and buffers in its own memory.
   *
   * @default no backpressure
   */
  readonly backpressure?: BackpressureLimits | undefined;
  /** @default realWorld */
  readonly world?: World | undefined;
}

/**
 * Delivers records in batches and retries until the service accepts them: the core of the ingester, the transports and
 * `logclient ingest`. Every record is counted as delivered, dropped or waiting.
 *
 * A record goes through {@link Backpressure} into the {@link Backlog}, in memory or on disk. The {@link BatchScheduler}
 * decides when a batch is packed and when it is sent.
 */
export class IngestPipeline implements ProcessExitListener {
  readonly tags: TagWriter;
  readonly warnings: Warnings;
  readonly backpressure: Backpressure;
  readonly #options: ResolvedIngesterOptions;
  readonly #world: World;
  readonly #hec: HecEncoder | undefined;
  readonly #events: EventThrottle | undefined;
  readonly #accounting: DeliveryAccounting;
  readonly #backlog: Backlog;
  readonly #scheduler: BatchScheduler;
  readonly #context: DeliveryContext;
  /** Callers that wait until all records before a number are settled, in ascending order. */
  readonly #flushes: { readonly beforeNumber: number; readonly resolve: () => void }[] = [];
  readonly #unwatchSignals: () => void;
  #adoptionTimer: Timer | undefined;
  #adopting: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #isClosed = false;
  #isExiting = false;
  /** All records with a smaller number had their chance at exit. */
  #triedAtExitBefore = 0;

  constructor(
    options: ResolvedIngesterOptions,
    { onEvent, world = realWorld, backpressure, ...reports }: PipelineOptions = {},
  ) {
    this.#options = options;
    this.#world = world;
    this.#hec = options.hec && new HecEncoder(options.hec);
    const redactor = options.redact && new RecordRedactor(options.redact);
    const { maxBatchRecords, maxBatchBytes, maxQueueBytes, onWarning, tags, tagFields } = options;
    const redactText = redactor && ((text: string): string => redactor.redactText(text));
    this.warnings = new Warnings({ world, onWarning, onEvent, redactText });
    this.tags = new TagWriter(tags, tagFields, this.warnings.reportOnce);
    this.#events = onEvent && new EventThrottle(onEvent, () => this.stats, world);
    const reporting = { warnings: this.warnings, world, events: this.#events, onEvent, ...reports };
    this.#accounting = new DeliveryAccounting(options, reporting);
    const check = new ServiceCheck(options, redactText);
    // A quarter of a small queue is a batch, because waiting batches are compressed.
    const maxBytes = Math.min(maxBatchBytes, Math.max(MIN_BATCH_BYTES, Math.ceil(maxQueueBytes / 4)));
    const sizeLimit = new BatchSizeLimit({ maxRecords: maxBatchRecords, maxBytes });
    const policy = new FailurePolicy({ ...options, random: world.random }, sizeLimit);
    this.#context = { options, world, accounting: this.#accounting, sizeLimit, check, policy, redactor };
    this.#backlog = new Backlog(this.#context, () => {
      this.#world.exit.watch(this);
      this.#scheduler.schedule();
    });
    this.backpressure = new Backpressure({
      backlog: this.#backlog,
      clock: this.#world.clock,
      limits: backpressure,
      sendNow: () => this.#scheduler.flushBefore(this.#backlog.nextNumber),
      // Unless there is no progress for `closeTimeoutMs`.
      keepAlive: (drained) => void keepAlive(this.#unlessStalled(drained)),
    });
    this.#scheduler = new BatchScheduler({
      context: this.#context,
      backlog: this.#backlog,
      onProgress: (hasDelivered) => {
        if (hasDelivered) this.backpressure.delivered();
        this.#resolveWaiters();
      },
      onOutOfTime: () => this.abandon(),
    });
    if (options.spool !== undefined) this.#adopt();
    this.#unwatchSignals = watchSignals(this, options.flushOnSignals);
  }

  /** Numbers of the next record and of the first one that is not settled. */
  get numbers(): Pick<Backlog, 'nextNumber' | 'settledBefore'> {
    return this.#backlog;
  }

  get stats(): IngesterStats {
    return this.#accounting.stats(this.#backlog.waiting);
  }

  /**
   * Adds a record that arrived at `nowMs` (epoch milliseconds) to the queue. Never throws.
   *
   * @returns false if the queue is full. The record was then accepted (`dropOldest`), dropped (`dropNewest`), or rejected
   * (`block`): add it again after {@link Backpressure.drained}.
   */
  add(original: IngestRecord, nowMs = this.#world.clock.now()): boolean {
    this.#events?.added();
    // Before everything that cuts or copies the record.
    const { redactor } = this.#context;
    const redacted = redactor === undefined ? original : redactor.redact(original);
    if (redacted === undefined) {
      this.#accounting.accepted();
      this.#accounting.unredactable();
      return true;
    }
    this.#accounting.redacted(redactor?.values ?? 0);
    const { maxEventBytes, batchIds } = this.#options;
    let record = limitNames(redacted, batchIds ? 2 : 0);
    // The service would remove all fields of a larger event.
    if (record.byteLength > maxEventBytes) {
      record = createRecord(shortenEvent(record.eventText, maxEventBytes), record.tagsText);
    }
    record = this.#hec?.encode(record) ?? record;
    if (this.#closing !== undefined || this.#options.noDestination !== undefined) {
      const lost = lostRecords([], [record.kept()]);
      this.#accounting.accepted();
      if (this.#options.noDestination === undefined) this.#accounting.closed(lost, 'afterEnd');
      else this.#accounting.undeliverable(lost, this.#options.noDestination);
      return true; // Waiting would not help.
    }
    const hasRoom = this.backpressure.accepts(record);
    // An `onDrop` hook may log, which would overwrite the memory of a reused record.
    if (!hasRoom) record = record.kept();
    if (!hasRoom && !this.#makeRoom(record)) return this.#reject(record);
    this.backpressure.accepted();
    this.#accounting.accepted();
    this.#backlog.push(record, nowMs);
    if (this.#backlog.queue.length === 1) this.#world.exit.watch(this);
    this.#scheduler.recordAdded();
    return hasRoom;
  }

  /** Adds a record of JSON text, like {@link add}. @param own tags that override those of the options */
  addText(text: string, own?: object): boolean {
    const event = text.startsWith('{') ? this.tags.protect(text, own) : text;
    return this.add(createRecord(event, this.tags.textFor(undefined, own)));
  }

  /** Adds many records in `add` at once, which is faster with a spool. They are on disk when this returns. */
  batchWrites<Result>(add: () => Result): Result {
    return this.#backlog.batchWrites(add);
  }

  /**
   * See `Ingester.flush`. Doesn't keep the process alive: its callers do, if a caller is waiting.
   *
   * @param added settles when all records to flush are added, which an outage can delay.
   */
  async flush(added?: Promise<void>): Promise<boolean> {
    const flushed = added === undefined ? this.#flush() : added.then(() => this.#flush());
    const isFlushed = await this.#unlessStalled(flushed);
    this.#events?.emitAll();
    return isFlushed && !this.#backlog.hasLeftRecords;
  }

  /** See {@link DeliveryAccounting.inherited}. */
  inherit(records: number): void {
    this.#accounting.inherited(records);
  }

  /** Adds the records that a waiting writer holds, unless the pipeline is closed. */
  releaseHeld(): void {
    if (this.#closing === undefined) this.backpressure.release();
  }

  /** See `Ingester.close`. */
  close(): Promise<void> {
    this.releaseHeld();
    this.#closing ??= this.#deliverInTime().then(() => {
      this.abandon();
      this.#accounting.reportLosses();
      this.#events?.emitAll();
    });
    return this.#closing;
  }

  /** Delivers queued records like {@link close}, but stays open for later ones. */
  async endDelivery(): Promise<void> {
    await (this.#closing ?? this.#deliverInTime());
  }

  beforeExit(): Promise<void> {
    return this.endDelivery();
  }

  /** Stays open, because `exit` listeners of the program may log. */
  atExit(isLast: boolean): void {
    if (this.#isClosed || this.#isExiting) return;
    this.#isExiting = true;
    this.releaseHeld();
    this.#scheduler.abortRequests();
    this.#backlog.sendQueue.recall();
    const { nextNumber } = this.#backlog;
    const isNew = nextNumber > this.#triedAtExitBefore;
    const end = isNew ? deliverAtExit(this.#backlog, this.#context) : 'atExit';
    this.#triedAtExitBefore = nextNumber;
    if (this.#options.spool === undefined) this.#settleRest(end);
    // Hooks may have logged about the lost records.
    if (isLast && (this.#options.spool !== undefined || !this.#backlog.isEmpty)) this.abandon();
    this.#isExiting = false;
  }

  /** Stops delivery now. Drops the remaining records, or leaves them in the spool. */
  abandon(end: EndOfDelivery = 'gaveUp'): void {
    if (this.#isClosed) return;
    this.releaseHeld();
    this.#closing ??= Promise.resolve();
    this.#isClosed = true;
    this.#adoptionTimer?.cancel();
    this.#unwatchSignals();
    this.#scheduler.stop();
    this.#settleRest(end);
  }

  #settleRest(end: EndOfDelivery): void {
    this.#accounting.closed(this.#backlog.end(), end);
    this.backpressure.close();
    this.#resolveWaiters();
  }

  #flush(): Promise<void> {
    const beforeNumber = this.#backlog.nextNumber;
    if (this.#backlog.settledBefore >= beforeNumber) return Promise.resolve();
    const settled = new Promise<void>((resolve) => this.#flushes.push({ beforeNumber, resolve }));
    this.#scheduler.flushBefore(beforeNumber);
    return settled;
  }

  /** @returns true when the promise has settled; false after `closeTimeoutMs` without progress. */
  async #unlessStalled(settled: Promise<void>): Promise<boolean> {
    const outcome = settled.then(() => true);
    for (;;) {
      const before = settledRecords(this.stats);
      let timer: Timer | undefined;
      const stalled = new Promise<false>((resolve) => {
        timer = this.#world.clock.startTimer(this.#options.closeTimeoutMs, () => resolve(false));
      });
      const isSettled = await Promise.race([outcome, stalled]);
      timer?.cancel();
      if (isSettled) return true;
      if (settledRecords(this.stats) === before) return false;
    }
  }

  /** Searches the spool for records of exited processes, now and every {@link ADOPTION_INTERVAL_MS}. */
  #adopt(): void {
    this.#adopting = this.#backlog.adopt();
    this.#adoptionTimer = this.#world.clock.startTimer(ADOPTION_INTERVAL_MS, () => {
      void this.#adopting.then(() => {
        if (!this.#isClosed) this.#adopt();
      });
    });
  }

  /** With `dropOldest`, drops the oldest records if that makes the new one fit. */
  #makeRoom(record: IngestRecord): boolean {
    if (this.#options.overflow !== 'dropOldest' || !this.#backlog.fits(record)) return false;
    // Reported afterwards: an `onDrop` hook may log, which makes room again.
    this.#accounting.overflowed(this.#backlog.makeRoom(record));
    this.#resolveWaiters();
    return this.#backlog.hasRoom(record);
  }

  /** @returns the result of {@link add} for a record that does not fit. */
  #reject(record: IngestRecord): boolean {
    const isBlocking = this.#options.overflow === 'block';
    if (isBlocking && this.#backlog.fits(record)) {
      this.#accounting.redacted(-(this.#context.redactor?.values ?? 0)); // It is added again.
      this.backpressure.rejected(record);
      return false;
    }
    this.#accounting.accepted();
    this.#accounting.overflowed(lostRecords([], [record]));
    return isBlocking; // Larger than the whole queue: waiting would not help.
  }

  #resolveWaiters(): void {
    const { settledBefore } = this.#backlog;
    while (this.#flushes[0] !== undefined && this.#flushes[0].beforeNumber <= settledBefore) {
      this.#flushes.shift()?.resolve();
    }
    this.backpressure.resolveWaiters();
    if (this.#backlog.isEmpty && !this.backpressure.hasHeldWrite) this.#world.exit.unwatch(this);
  }

  /** Delivers all records, or abandons them when the time is up. */
  async #deliverInTime(): Promise<void> {
    const timeoutMs = this.#world.exit.closeTimeLeft(this.#options.closeTimeoutMs);
    this.#scheduler.setDeadline(this.#world.clock.now() + timeoutMs);
    const timer = this.#world.clock.startTimer(timeoutMs, () => this.abandon('outOfTime'));
    await keepAlive(this.#adopting.then(() => this.#flush()));
    timer.cancel();
    this.#scheduler.setDeadline(undefined);
  }
}
