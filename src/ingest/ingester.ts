import { systemClock, type Timer } from '../internal/clock.ts';
import { holdProcess } from '../internal/process-hold.ts';
import { settlesUnlessStalled } from '../internal/settles-unless-stalled.ts';
import { Batch } from './batch.ts';
import { DeliveryReport } from './delivery-report.ts';
import { FlushWaiters } from './flush-waiters.ts';
import { HttpSender } from './http-sender.ts';
import { eventText, type IngestEvent } from './ingest-event.ts';
import type { IngesterObserver } from './ingester-observer.ts';
import {
  type IngesterOptions,
  type OverflowPolicy,
  type ResolvedIngesterOptions,
  resolveIngesterOptions,
} from './ingester-options.ts';
import type { IngesterStats } from './ingester-stats.ts';
import { type ProcessEndListener, unwatchProcessEnd, watchProcessEnd } from './process-end.ts';
import { createRecord, type IngestRecord } from './record.ts';
import { RecordQueue } from './record-queue.ts';
import { RetryingSender } from './retrying-sender.ts';
import { TagWriter } from './tags.ts';
import { Warnings } from './warnings.ts';

interface Flight {
  readonly batch: Batch;
  /** The number of the batch's first record. */
  readonly firstNumber: number;
  readonly byteLength: number;
}

/** Lets the end of `closeTimeoutMs` come first. */
const HOLD_MARGIN_MS = 500;

const EVERYTHING = { maxRecords: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

/**
 * Takes records and delivers them to the service: in batches, in order, one batch at a time, and again until they are
 * accepted. What can't be delivered is counted and reported, never silent.
 *
 * Nothing it does in the background keeps the process alive. When a process ends by itself, what is left is delivered
 * first, for as long as `closeTimeoutMs`.
 */
export class Ingester {
  /** Writes tags as the options ask for; for callers of {@link addRecord}. */
  readonly tags: TagWriter;
  readonly #options: ResolvedIngesterOptions;
  readonly #clock = systemClock;
  readonly #report: DeliveryReport;
  readonly #sender: RetryingSender;
  readonly #queue = new RecordQueue();
  readonly #flushWaiters = new FlushWaiters();
  readonly #stop = new AbortController();
  readonly #processEnd: ProcessEndListener;
  #inFlight: Flight | undefined;
  /** Runs while records wait for their batch to fill. */
  #timer: Timer | undefined;
  /** Records with a smaller number don't wait for their batch to fill. */
  #flushBefore = 0;
  #drainWaiters: (() => void)[] = [];
  /** The size of the record that was refused last, which must find room before anybody is told that there is some. */
  #refusedBytes = 0;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  /**
   * @param observer for those who pass on what happens, such as a worker thread to its program.
   * @throws LogOptionsException
   */
  constructor(options: IngesterOptions = {}, observer: IngesterObserver = {}) {
    this.#options = resolveIngesterOptions(options);
    const { tags, tagFields, onWarning, minRetryDelayMs, maxRetryDelayMs } = this.#options;
    this.tags = new TagWriter(tags, tagFields);
    this.#report = new DeliveryReport(this.#options, {
      warnings: new Warnings(this.#clock, onWarning, observer),
      clock: this.#clock,
      observer,
    });
    this.#sender = new RetryingSender(new HttpSender(this.#options), {
      minRetryDelayMs,
      maxRetryDelayMs,
      clock: this.#clock,
      onRetry: (outcome, attempt) => this.#report.retried(outcome, attempt),
    });
    this.#processEnd = {
      beforeExit: () => {
        if (this.#closing === undefined) void this.#deliverWithin(this.#options.closeTimeoutMs);
      },
      atExit: () => this.#abandon('atExit'),
    };
  }

  /** What becomes of a record that finds the queue full. */
  get overflow(): OverflowPolicy {
    return this.#options.overflow;
  }

  /** Counters of what has become of the records. */
  get stats(): IngesterStats {
    return this.#report.stats({
      queuedRecords: this.#queue.length,
      queuedBytes: this.#queue.byteLength,
      inFlightRecords: this.#inFlight?.batch.length ?? 0,
    });
  }

  /**
   * Takes an event. It is serialised at once, so that later changes to the object don't matter. Never throws.
   *
   * @returns false when the queue is full. What became of the event then depends on the option `overflow`: with
   * `dropOldest` it was taken, with `dropNewest` it was dropped, with `block` it was not taken and should be added
   * again after {@link drained}.
   */
  add(event: IngestEvent): boolean {
    if (typeof event !== 'object' || event === null) return this.add({ rawstring: String(event) });
    const text = eventText(event, this.#clock.now());
    return this.addRecord(createRecord(text, this.tags.textFor(event.attributes, event.tags)));
  }

  /** As {@link add}, for an event that is JSON text already. */
  addRecord(record: IngestRecord): boolean {
    if (this.#closing !== undefined) {
      this.#report.accepted();
      this.#report.closed([record], 'afterEnd');
      return true; // Waiting would not help.
    }
    const hasRoom = this.#hasRoom(record);
    if (!hasRoom && !this.#makeRoom(record)) return this.#refuse(record);
    this.#refusedBytes = 0;
    this.#report.accepted();
    if (this.#queue.length === 0) watchProcessEnd(this.#processEnd);
    this.#queue.push(record, this.#clock.now());
    this.#schedule();
    return hasRoom;
  }

  /** Resolves when the queue is at most half full and has room for what was refused, or the ingester has closed. */
  drained(): Promise<void> {
    if (this.#isDrained()) return Promise.resolve();
    return this.#hold(new Promise((resolve) => this.#drainWaiters.push(resolve)));
  }

  /**
   * Sends what is waiting without letting the batch fill. Resolves when every record that was added before the call
   * is delivered or dropped. Never rejects.
   *
   * In an outage it waits for the service, while a process that has nothing else to do ends: it is held for
   * `closeTimeoutMs`, then the last attempts are made within another `closeTimeoutMs`, and what is left is dropped. For
   * a bound in a process that goes on use {@link close}.
   */
  flush(): Promise<void> {
    const beforeNumber = this.#queue.firstNumber + this.#queue.length;
    if (this.#settledBefore >= beforeNumber) return Promise.resolve();
    this.#flushBefore = beforeNumber;
    const settled = this.#flushWaiters.wait(beforeNumber);
    this.#schedule();
    return this.#hold(settled);
  }

  /**
   * As {@link flush}, but stops waiting when nothing has been delivered for `closeTimeoutMs`: the records stay in the
   * queue and are sent when the service is back. For loggers, whose program may wait for this before it ends.
   *
   * @returns whether everything is delivered or dropped.
   */
  flushUnlessStalled(): Promise<boolean> {
    return settlesUnlessStalled(this.flush(), {
      clock: this.#clock,
      stallMs: this.#options.closeTimeoutMs,
      progress: () => this.stats.delivered,
    });
  }

  /**
   * Delivers what is left, for at most `closeTimeoutMs`, then drops and reports the rest. Records that come later are
   * dropped. Can be called again, and never rejects.
   */
  close(): Promise<void> {
    this.#closing ??= this.#deliverWithin(this.#options.closeTimeoutMs).then(() =>
      this.#abandon('outOfTime'),
    );
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Somebody waits, so the process goes on; not for ever, because {@link #processEnd} knows what to do in an outage. */
  #hold(promise: Promise<void>): Promise<void> {
    return holdProcess(promise, this.#options.closeTimeoutMs + HOLD_MARGIN_MS);
  }

  get #heldBytes(): number {
    return this.#queue.byteLength + (this.#inFlight?.byteLength ?? 0);
  }

  /** All records with a smaller number are delivered or dropped. */
  get #settledBefore(): number {
    return this.#inFlight?.firstNumber ?? this.#queue.firstNumber;
  }

  #hasRoom(record: IngestRecord): boolean {
    return this.#heldBytes + record.byteLength <= this.#options.maxQueueBytes;
  }

  /** Drops the oldest records where that is the rule and helps. What is in flight can't be dropped. */
  #makeRoom(record: IngestRecord): boolean {
    const { overflow, maxQueueBytes } = this.#options;
    if (overflow !== 'dropOldest' || record.byteLength > maxQueueBytes) return false;
    const dropped: IngestRecord[] = [];
    while (!this.#hasRoom(record)) {
      const oldest = this.#queue.shift();
      if (oldest === undefined) break;
      dropped.push(oldest);
    }
    this.#report.overflowed(dropped);
    this.#resolveWaiters();
    return this.#hasRoom(record);
  }

  /** @returns what {@link addRecord} answers for a record that finds no room. */
  #refuse(record: IngestRecord): boolean {
    const { overflow, maxQueueBytes } = this.#options;
    if (overflow === 'block' && record.byteLength <= maxQueueBytes) {
      this.#refusedBytes = record.byteLength;
      this.#flushBefore = this.#queue.firstNumber + this.#queue.length; // Nothing more fits into the next batch.
      this.#schedule();
      return false;
    }
    this.#report.accepted();
    this.#report.overflowed([record]);
    return overflow === 'block'; // Larger than the whole queue: waiting would not help.
  }

  /** The one place that decides: send now, arm a timer, or nothing. */
  #schedule(): void {
    if (this.#isClosed || this.#inFlight !== undefined || this.#queue.length === 0) return;
    const { maxBatchRecords, maxBatchBytes, flushIntervalMs } = this.#options;
    const isFull = this.#queue.length >= maxBatchRecords || this.#queue.byteLength >= maxBatchBytes;
    const isFlushing = this.#queue.firstNumber < this.#flushBefore;
    if (isFull || isFlushing) this.#sendNext();
    else if (this.#timer === undefined) {
      const now = this.#clock.now();
      // At most the interval: the clock may have been set back meanwhile.
      const delayMs = Math.min(flushIntervalMs, (this.#queue.oldestArrival ?? now) + flushIntervalMs - now);
      if (delayMs <= 0) this.#sendNext();
      else this.#timer = this.#clock.startTimer(delayMs, () => this.#sendNext());
    }
  }

  #sendNext(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#queue.length === 0) return;
    const { maxBatchRecords, maxBatchBytes } = this.#options;
    const firstNumber = this.#queue.firstNumber;
    const batch = new Batch(this.#queue.take({ maxRecords: maxBatchRecords, maxBytes: maxBatchBytes }));
    this.#inFlight = { batch, firstNumber, byteLength: batch.byteLength };
    void this.#fly(batch);
  }

  async #fly(batch: Batch): Promise<void> {
    const outcome = await this.#sender.send(batch, { signal: this.#stop.signal });
    if (this.#isClosed) return; // The records have been given up meanwhile.
    if (outcome.kind === 'retryable') {
      this.#abandon('outOfTime');
      return;
    }
    this.#inFlight = undefined;
    if (outcome.kind === 'delivered') this.#report.delivered(batch.length);
    else this.#report.rejected(batch.records, outcome.reason);
    this.#resolveWaiters();
    this.#schedule();
  }

  #isDrained(): boolean {
    const { maxQueueBytes } = this.#options;
    const heldBytes = this.#heldBytes;
    return (
      this.#isClosed || (heldBytes <= maxQueueBytes / 2 && heldBytes + this.#refusedBytes <= maxQueueBytes)
    );
  }

  #resolveWaiters(): void {
    this.#flushWaiters.settle(this.#settledBefore);
    if (this.#drainWaiters.length > 0 && this.#isDrained()) {
      for (const resolve of this.#drainWaiters.splice(0)) resolve();
    }
    if (this.#queue.length === 0 && this.#inFlight === undefined) unwatchProcessEnd(this.#processEnd);
  }

  /** Delivers everything if that is possible within the time, and gives up otherwise. */
  async #deliverWithin(timeoutMs: number): Promise<void> {
    this.#sender.hurry(this.#clock.now() + timeoutMs);
    const timer = this.#clock.startTimer(timeoutMs, () => this.#abandon('outOfTime'));
    await this.flush();
    timer.cancel();
    this.#sender.hurry(undefined);
  }

  /** Gives up what is left, at once and for good. */
  #abandon(when: 'outOfTime' | 'atExit'): void {
    if (this.#isClosed) return;
    this.#closing ??= Promise.resolve();
    this.#isClosed = true;
    this.#timer?.cancel();
    const left = [...(this.#inFlight?.batch.records ?? []), ...this.#queue.take(EVERYTHING)];
    this.#inFlight = undefined;
    this.#report.closed(left, when);
    this.#stop.abort();
    this.#resolveWaiters();
  }
}
