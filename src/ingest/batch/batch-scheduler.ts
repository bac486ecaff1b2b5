import type { Clock, Timer } from '../../internal/clock.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import type { BatchSender } from '../send/batch-sender.ts';
import type { Backlog } from './backlog.ts';

export interface BatchSchedulerOptions {
  readonly ingester: ResolvedIngesterOptions;
  readonly clock: Clock;
  readonly backlog: Backlog;
  readonly batchSender: BatchSender;
  /** Called when the memory of a batch has shrunk or was released. */
  readonly onProgress: () => void;
  /** Called when there is no time left for undelivered records. */
  readonly onOutOfTime: () => void;
}

/** Delay before a disk that can't be read is tried again. */
const DISK_RETRY_MS = 1_000;

/**
 * Decides when a batch is packed and when it is sent. A batch is packed when it can't grow. The last batch grows while
 * requests are in flight; otherwise, it waits for at most `flushIntervalMs`.
 */
export class BatchScheduler {
  readonly #options: BatchSchedulerOptions;
  readonly #stop = new AbortController();
  /** Runs while the last batch waits for more records. */
  #timer: Timer | undefined;
  /** Records with smaller numbers do not wait for their batch to fill. */
  #flushBefore = 0;

  constructor(options: BatchSchedulerOptions) {
    this.#options = options;
  }

  /** Sends records with smaller numbers without waiting for their batch to fill. */
  flushBefore(number: number): void {
    this.#flushBefore = number;
    this.schedule();
  }

  /** Calls {@link schedule} if an added record changes anything, which is rare. */
  recordAdded(): void {
    const { backlog, ingester } = this.#options;
    const isBusy = backlog.sendQueue.inFlight >= ingester.maxRequestsInFlight;
    if (backlog.hasFullBatch) {
      if (!isBusy || backlog.packsAhead) this.schedule();
      return;
    }
    const isWaiting = this.#timer !== undefined && backlog.queuedRecords < ingester.fullBatchRecords;
    if (!isBusy && !isWaiting) this.schedule();
  }

  /** The one place that decides what happens next: pack a batch, send one, arm a timer, or nothing. */
  schedule(): void {
    if (this.#stop.signal.aborted) return;
    const { backlog, ingester, clock } = this.#options;
    if (this.#packFull() && this.#hasSlot && backlog.queuedRecords > 0) {
      if (this.#isDue()) this.#pack();
      else this.#timer ??= clock.startTimer(this.#restMs(), () => this.#intervalEnded());
    }
    const { sendQueue } = backlog;
    while (sendQueue.waiting > 0 && sendQueue.inFlight < ingester.maxRequestsInFlight) this.#send();
  }

  /** Aborts the requests in flight and starts no more. */
  stop(): void {
    this.#timer?.cancel();
    this.#stop.abort();
  }

  /** True if a batch that is packed now can be sent immediately. */
  get #hasSlot(): boolean {
    const { waiting, inFlight } = this.#options.backlog.sendQueue;
    return waiting + inFlight < this.#options.ingester.maxRequestsInFlight;
  }

  /** Packs all full batches. @returns false if the disk can't be read at the moment. */
  #packFull(): boolean {
    const { backlog } = this.#options;
    while (backlog.hasFullBatch && (backlog.packsAhead || this.#hasSlot)) {
      if (!this.#pack()) return false;
    }
    return true;
  }

  /** True if the last batch should not wait for more records. */
  #isDue(): boolean {
    const { backlog, ingester } = this.#options;
    return backlog.firstQueued < this.#flushBefore || backlog.queuedRecords >= ingester.fullBatchRecords;
  }

  /** How long the oldest record can still wait for its batch to fill. */
  #restMs(): number {
    const { backlog, clock, ingester } = this.#options;
    const { flushIntervalMs } = ingester;
    const ageMs = clock.now() - (backlog.oldestArrival ?? Number.POSITIVE_INFINITY);
    // At most the interval, because the clock may have been set back.
    return Math.min(flushIntervalMs, Math.max(0, flushIntervalMs - ageMs));
  }

  #intervalEnded(): void {
    this.#timer = undefined;
    if (this.#hasSlot && this.#options.backlog.queuedRecords > 0) this.#pack();
    this.schedule();
  }

  /** Moves a batch to the send queue. @returns false if the disk can't be read at the moment. */
  #pack(): boolean {
    const { backlog, clock, onProgress } = this.#options;
    this.#timer?.cancel();
    this.#timer = undefined;
    const batch = backlog.pack();
    if (batch === undefined) {
      this.#timer = clock.startTimer(DISK_RETRY_MS, () => this.#intervalEnded());
      return false;
    }
    const onPacked = (): void => {
      backlog.sendQueue.packed(batch);
      onProgress();
    };
    batch.encodeNext().then(onPacked, () => {}); // A failure occurs again when the batch is sent.
    return true;
  }

  #send(): void {
    const { backlog, batchSender, onProgress, onOutOfTime } = this.#options;
    const batch = backlog.sendQueue.sendNext();
    if (batch === undefined) return;
    const { signal } = this.#stop;
    void batchSender.deliver(batch, signal).then((isDone) => {
      if (signal.aborted) return; // The records were dropped.
      if (!isDone) {
        onOutOfTime();
        return;
      }
      backlog.sendQueue.remove(batch);
      onProgress();
      this.schedule();
    });
  }
}
