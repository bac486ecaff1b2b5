import { type Clock, systemClock, type Timer } from '../internal/clock.ts';
import { keepAlive } from '../internal/keep-alive.ts';
import { settlesUnlessStalled } from '../internal/settles-unless-stalled.ts';
import { Backlog, lostRecords } from './batch/backlog.ts';
import { BatchScheduler } from './batch/batch-scheduler.ts';
import { BatchSizeLimit } from './batch/batch-size-limit.ts';
import { DrainWaiters } from './drain-waiters.ts';
import { FlushWaiters } from './flush-waiters.ts';
import {
  type IngesterOptions,
  type OverflowPolicy,
  type ResolvedIngesterOptions,
  resolveIngesterOptions,
} from './options.ts';
import { deliverAtExit, type ExitDeliveryOptions } from './process/exit-delivery.ts';
import { type ProcessExitListener, unwatchProcessExit, watchProcessExit } from './process/process-exit.ts';
import { watchSignals } from './process/process-signals.ts';
import { eventText, type IngestEvent } from './record/ingest-event.ts';
import { createRecord, type IngestRecord } from './record/record.ts';
import { safeObject, safeText } from './record/safe-json.ts';
import { shortenEvent } from './record/shorten-event.ts';
import { TagWriter } from './record/tags.ts';
import { DeliveryAccounting } from './report/delivery-accounting.ts';
import type { DeliveryObserver } from './report/delivery-observer.ts';
import type { IngesterStats } from './report/ingester-stats.ts';
import { Warnings } from './report/warnings.ts';
import { BatchSender } from './send/batch-sender.ts';
import { HttpSender } from './send/http-sender.ts';
import { RetryingSender } from './send/retrying-sender.ts';
import type { Sender } from './send/sender.ts';

/** Lets the end of `closeTimeoutMs` come first. */
const HOLD_MARGIN_MS = 500;

/** How often somebody looks for what processes that ended have left in the spool. */
const ADOPTION_INTERVAL_MS = 15_000;

/**
 * Delivers records to the service in batches and retries until they are accepted. Records are sent in order, one batch
 * at a time by default. Dropped records are always counted and reported.
 *
 * Records wait in a bounded queue. Full batches are compressed before they are sent. While requests are in flight, the
 * last batch grows.
 *
 * Background work does not keep the process alive. On exit, including `process.exit()` and uncaught exceptions, queued
 * records are sent for up to `closeTimeoutMs`. The latter two use a worker thread, which can't use the options `fetch`
 * and `agent`: with these, await {@link close} before the process exits.
 */
export class Ingester {
  /** Internal: writes the tags of records for {@link addRecord}. */
  readonly tags: TagWriter;
  /**
   * For callers that wait for {@link drained}: called once at exit. Records added during the call are always accepted.
   */
  onLastCall: (() => void) | undefined;
  readonly #options: ResolvedIngesterOptions;
  readonly #clock: Clock;
  readonly #report: DeliveryAccounting;
  readonly #sender: RetryingSender;
  readonly #backlog: Backlog;
  readonly #scheduler: BatchScheduler;
  readonly #drainWaiters: DrainWaiters;
  readonly #exitDelivery: ExitDeliveryOptions;
  readonly #flushWaiters = new FlushWaiters();
  readonly #processEnd: ProcessExitListener;
  readonly #unwatchSignals: () => void;
  #adoptionTimer: Timer | undefined;
  /** Under way at the beginning, and from time to time. */
  #adopting: Promise<void> = Promise.resolve();
  #isLastCall = false;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  /**
   * @param observer internal: receives delivery events, for example in a worker.
   * @param simulated internal: replaces time, the service and chance in simulations.
   * @throws LogOptionsException
   */
  constructor(
    options: IngesterOptions = {},
    observer: DeliveryObserver = {},
    simulated?: { readonly clock: Clock; readonly sender: Sender; readonly random: () => number },
  ) {
    this.#options = resolveIngesterOptions(options);
    this.#clock = simulated?.clock ?? systemClock;
    const { tags, tagFields, onWarning, minRetryDelayMs, maxRetryDelayMs } = this.#options;
    this.tags = new TagWriter(tags, tagFields);
    this.#report = new DeliveryAccounting(this.#options, {
      warnings: new Warnings(this.#clock, onWarning, observer),
      clock: this.#clock,
      observer,
    });
    this.#sender = new RetryingSender(simulated?.sender ?? new HttpSender(this.#options), {
      minRetryDelayMs,
      maxRetryDelayMs,
      random: simulated?.random,
      clock: this.#clock,
      onRetry: (outcome, attempt) => this.#report.retried(outcome, attempt),
    });
    const sizeLimit = new BatchSizeLimit(this.#options.maxBatchBytes);
    this.#backlog = new Backlog({
      ingester: this.#options,
      clock: this.#clock,
      report: this.#report,
      limits: {
        maxRecords: this.#options.maxBatchRecords,
        get maxBytes() {
          return sizeLimit.maxBytes;
        },
      },
      onAdopted: () => this.#added(),
    });
    this.#exitDelivery = { ingester: this.#options, report: this.#report, sizeLimit };
    this.#drainWaiters = new DrainWaiters(this.#backlog, this.#clock);
    this.#scheduler = new BatchScheduler({
      ingester: this.#options,
      clock: this.#clock,
      backlog: this.#backlog,
      batchSender: new BatchSender({
        sender: this.#sender,
        report: this.#report,
        sizeLimit,
        onSettled: () => this.#settled(),
      }),
      onProgress: () => this.#resolveWaiters(),
      onOutOfTime: () => this.#abandon('outOfTime'),
    });
    this.#processEnd = {
      beforeExit: () => {
        if (this.#closing === undefined) void this.#deliverWithin(this.#options.closeTimeoutMs);
      },
      atExit: () => this.#abandon('atExit'),
    };
    if (this.#options.spool !== undefined) this.#adopt();
    this.#unwatchSignals = watchSignals(
      { flush: () => this.flushUnlessStalled(), close: () => this.close() },
      this.#options.flushOnSignals,
    );
  }

  /** Policy for new records when the queue is full. */
  get overflow(): OverflowPolicy {
    return this.#options.overflow;
  }

  /** Counters of accepted, delivered, dropped and waiting records. */
  get stats(): IngesterStats {
    return this.#report.stats(this.#backlog.waiting);
  }

  /**
   * Adds an event to the queue. The event is serialized immediately, so later changes to the object have no effect.
   * Never throws.
   *
   * @returns false if the queue is full. Depending on the option `overflow`, the event was then accepted
   * (`dropOldest`), dropped (`dropNewest`), or rejected (`block`): add it again after {@link drained}.
   */
  add(event: IngestEvent): boolean {
    if (typeof event !== 'object' || event === null) return this.add({ rawstring: safeText(event) });
    const text = eventText(event, this.#clock.now());
    const tagsText = this.tags.textFor(safeObject(event, 'attributes'), safeObject(event, 'tags'));
    return this.addRecord(createRecord(text, tagsText));
  }

  /**
   * Adds an event that is already JSON, such as `{"timestamp":1770109200000,"attributes":{"n":1.50}}`. It is sent
   * unchanged, with its exact digits. Text that does not start with a brace becomes the `rawstring` of an event.
   * Invalid JSON is rejected by the service and counted as rejected. The tags are those of the options, without
   * `tagFields`.
   */
  addText(eventText: string): boolean {
    const given = safeText(eventText);
    const text = given.trimStart();
    if (!text.startsWith('{')) return this.add({ rawstring: given });
    return this.addRecord(createRecord(text, this.tags.baseText));
  }

  /**
   * Internal: adds an event that is already encoded, on one line.
   *
   * @param nowMs current time, for callers that add many records at once.
   */
  addRecord(given: IngestRecord, nowMs = this.#clock.now()): boolean {
    let record = this.#fitted(given);
    if (this.#closing !== undefined) {
      this.#report.accepted();
      this.#report.closed(lostRecords([], [record.kept()]), 'afterEnd');
      return true; // Waiting would not help.
    }
    const hasRoom = this.#backlog.hasRoom(record) || this.#isLastCall;
    // A hook that hears of a drop may log, which would take the place of a record that only shows memory.
    if (!hasRoom) record = record.kept();
    if (!hasRoom && !this.#makeRoom(record)) return this.#refuse(record);
    this.#drainWaiters.accepted();
    this.#report.accepted();
    this.#backlog.push(record, nowMs);
    this.#recordAdded();
    return hasRoom;
  }

  /** Adds many records in `add` at once, which is faster with a spool. They are on disk when this returns. */
  together(add: () => void): void {
    this.#backlog.together(add);
  }

  /**
   * Resolves when the queue is at most half full and has capacity for the rejected record, or when the ingester is
   * closed.
   */
  drained(): Promise<void> {
    return this.#hold(this.#drainWaiters.drained());
  }

  /** True if callers that can wait should back off; see {@link holdBack}. */
  get isCongested(): boolean {
    return !this.#isLastCall && this.#drainWaiters.isCongested;
  }

  /**
   * Internal: calls {@link onLastCall}. The queue limit does not apply to the records it adds, which are already in
   * memory.
   */
  lastCall(): void {
    const { onLastCall } = this;
    if (onLastCall === undefined || this.#closing !== undefined) return;
    this.onLastCall = undefined;
    this.withoutBound(onLastCall);
  }

  /** Internal: adds records that are already in memory, ignoring the queue limit. */
  withoutBound(add: () => void): void {
    const before = this.#isLastCall;
    this.#isLastCall = true;
    add();
    this.#isLastCall = before;
  }

  /** Internal: disables the queue limit, for the last records of a writer. */
  refuseNothing(): void {
    this.#isLastCall = true;
  }

  /**
   * Internal: like {@link drained}, for at most `maxMs` milliseconds. Sends the current batch without waiting for it to
   * fill.
   */
  holdBack(maxMs: number): Promise<void> {
    this.#scheduler.flushBefore(this.#backlog.nextNumber);
    return this.#drainWaiters.drainedWithin(maxMs);
  }

  /**
   * Sends queued records without waiting for the batch to fill. Resolves when every record added before the call is
   * delivered or dropped. Never rejects.
   *
   * During an outage, it waits until the service is back. It keeps an otherwise idle process alive for
   * `closeTimeoutMs`; last attempts are then made for another `closeTimeoutMs`, and remaining records are dropped. To
   * limit the wait in a running process, use {@link close}.
   */
  flush(): Promise<void> {
    const beforeNumber = this.#backlog.nextNumber;
    if (this.#backlog.settledBefore >= beforeNumber) return Promise.resolve();
    const settled = this.#flushWaiters.wait(beforeNumber);
    this.#scheduler.flushBefore(beforeNumber);
    return this.#hold(settled);
  }

  /**
   * Like {@link flush}, but resolves after `closeTimeoutMs` without progress. Records then stay queued and are sent
   * when the service is back.
   *
   * @param added settles when all records to flush are added, which an outage can delay.
   * @returns true if every record is delivered or dropped.
   */
  flushUnlessStalled(added?: Promise<void>): Promise<boolean> {
    const flushed = added === undefined ? this.flush() : added.then(() => this.flush());
    return settlesUnlessStalled(flushed, {
      clock: this.#clock,
      stallMs: this.#options.closeTimeoutMs,
      progress: () => this.stats.delivered,
    });
  }

  /**
   * Delivers queued records for up to `closeTimeoutMs`, then drops and reports the rest. With a spool, the rest is kept
   * for the next process. Records added later are dropped. Can be called repeatedly and never rejects.
   */
  close(): Promise<void> {
    this.lastCall();
    this.#closing ??= this.#deliverWithin(this.#options.closeTimeoutMs).then(() => {
      this.#abandon('outOfTime');
      this.#report.tellLosses();
    });
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Somebody waits, so the process goes on; not for ever, because {@link #processEnd} knows what to do in an outage. */
  #hold(promise: Promise<void>): Promise<void> {
    return keepAlive(promise, this.#options.closeTimeoutMs + HOLD_MARGIN_MS);
  }

  /** A larger event would lose all its fields at the service. */
  #fitted(record: IngestRecord): IngestRecord {
    const { maxEventBytes } = this.#options;
    if (record.byteLength <= maxEventBytes) return record;
    return createRecord(shortenEvent(record.eventText, maxEventBytes), record.tagsText);
  }

  #recordAdded(): void {
    // As long as there are others the process is watched.
    if (this.#backlog.queuedRecords === 1) watchProcessExit(this.#processEnd);
    this.#scheduler.recordAdded();
  }

  #added(): void {
    watchProcessExit(this.#processEnd);
    this.#scheduler.schedule();
  }

  /** Looks for what processes that ended have left, now and from time to time. */
  #adopt(): void {
    this.#adopting = this.#backlog.adopt();
    this.#adoptionTimer = this.#clock.startTimer(ADOPTION_INTERVAL_MS, () => {
      void this.#adopting.then(() => {
        if (!this.#isClosed) this.#adopt();
      });
    });
  }

  /** Drops the oldest records where that is the rule and helps. */
  #makeRoom(record: IngestRecord): boolean {
    if (this.#options.overflow !== 'dropOldest' || !this.#backlog.fits(record)) return false;
    // Told of afterwards: a hook may log, and that has to make room as well.
    this.#report.overflowed(this.#backlog.makeRoom(record));
    this.#resolveWaiters();
    return this.#backlog.hasRoom(record);
  }

  /** @returns what {@link addRecord} answers for a record that finds no room. */
  #refuse(record: IngestRecord): boolean {
    const isBlocking = this.#options.overflow === 'block';
    if (isBlocking && this.#backlog.fits(record)) {
      this.#drainWaiters.refused(record.byteLength);
      this.#scheduler.flushBefore(this.#backlog.nextNumber); // Nothing more fits into the next batch.
      return false;
    }
    this.#report.accepted();
    this.#report.overflowed(lostRecords([], [record]));
    return isBlocking; // Larger than the whole queue: waiting would not help.
  }

  #settled(): void {
    this.#drainWaiters.delivered();
    this.#resolveWaiters();
  }

  #resolveWaiters(): void {
    this.#backlog.settled();
    this.#flushWaiters.settle(this.#backlog.settledBefore);
    this.#drainWaiters.resolve();
    if (this.#backlog.isEmpty && this.onLastCall === undefined) unwatchProcessExit(this.#processEnd);
  }

  /** Delivers everything if that is possible within the time, and gives up otherwise. */
  async #deliverWithin(timeoutMs: number): Promise<void> {
    this.#sender.hurry(this.#clock.now() + timeoutMs);
    const timer = this.#clock.startTimer(timeoutMs, () => this.#abandon('outOfTime'));
    await this.#adopting;
    await this.flush();
    timer.cancel();
    this.#sender.hurry(undefined);
  }

  /** Gives up what is left, at once and for good. */
  #abandon(when: 'outOfTime' | 'atExit'): void {
    if (this.#isClosed) return;
    this.lastCall();
    this.#closing ??= Promise.resolve();
    this.#isClosed = true;
    this.#adoptionTimer?.cancel();
    this.#unwatchSignals();
    this.#scheduler.stop();
    const wasTried = when === 'atExit' && deliverAtExit(this.#backlog, this.#exitDelivery);
    this.#report.closed(this.#backlog.end(), wasTried ? 'outOfTime' : when);
    this.#drainWaiters.close();
    this.#resolveWaiters();
  }
}
