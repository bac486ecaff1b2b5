import type { Clock, Timer } from '../../internal/clock.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import type { BatchSender } from '../send/batch-sender.ts';
import type { Backlog } from './backlog.ts';

export interface BatchSchedulerOptions {
  readonly ingester: ResolvedIngesterOptions;
  readonly clock: Clock;
  readonly backlog: Backlog;
  readonly batchSender: BatchSender;
  /** Called when a batch takes less memory, or has left it. */
  readonly onProgress: () => void;
  /** Called when there is no time left for what is not delivered. */
  readonly onOutOfTime: () => void;
}

/** How long a disk is left alone that gives nothing back. */
const DISK_RETRY_MS = 1_000;

/**
 * Decides when records leave the queue and when batches leave the sendQueue. A batch is packed when it can't grow any more;
 * while the service is busy, the last one grows, and otherwise it waits for `flushIntervalMs` at most.
 */
export class BatchScheduler {
  readonly #options: BatchSchedulerOptions;
  readonly #stop = new AbortController();
  /** Runs while records wait for their batch to fill. */
  #timer: Timer | undefined;
  /** Records with a smaller number don't wait for their batch to fill. */
  #flushBefore = 0;

  constructor(options: BatchSchedulerOptions) {
    this.#options = options;
  }

  /** Lets no record with a smaller number wait for its batch to fill. */
  flushBefore(number: number): void {
    this.#flushBefore = number;
    this.schedule();
  }

  /** As {@link schedule}, when a record has been added. Most of them only wait for more. */
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
    if (this.#packFull() && this.#hasSlot && backlog.hasQueued) {
      if (this.#isDue()) this.#pack();
      else this.#timer ??= clock.startTimer(this.#restMs(), () => this.#intervalEnded());
    }
    const { sendQueue } = backlog;
    while (sendQueue.waiting > 0 && sendQueue.inFlight < ingester.maxRequestsInFlight) this.#send();
  }

  /** Ends the requests that are under way, and begins no more. */
  stop(): void {
    this.#timer?.cancel();
    this.#stop.abort();
  }

  /** Whether a batch that is packed now could be sent at once. */
  get #hasSlot(): boolean {
    const { waiting, inFlight } = this.#options.backlog.sendQueue;
    return waiting + inFlight < this.#options.ingester.maxRequestsInFlight;
  }

  /** Packs until what is left can still grow. @returns false when the disk gives nothing back now */
  #packFull(): boolean {
    const { backlog } = this.#options;
    while (backlog.hasFullBatch && (backlog.packsAhead || this.#hasSlot)) {
      if (!this.#pack()) return false;
    }
    return true;
  }

  /** A batch need not wait for more. */
  #isDue(): boolean {
    const { backlog, ingester } = this.#options;
    return backlog.firstQueued < this.#flushBefore || backlog.queuedRecords >= ingester.fullBatchRecords;
  }

  /** How long the oldest record may still wait for its batch to fill. */
  #restMs(): number {
    const { backlog, clock, ingester } = this.#options;
    const { flushIntervalMs } = ingester;
    const ageMs = clock.now() - (backlog.oldestArrival ?? Number.POSITIVE_INFINITY);
    // At most the interval: the clock may have been set back meanwhile.
    return Math.min(flushIntervalMs, Math.max(0, flushIntervalMs - ageMs));
  }

  #intervalEnded(): void {
    this.#timer = undefined;
    if (this.#hasSlot && this.#options.backlog.hasQueued) this.#pack();
    this.schedule();
  }

  /** Moves a batch from the queue to the sendQueue. @returns false when the disk gives nothing back now */
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
    batch.encodeNext().then(onPacked, () => {}); // A failure comes again when it is sent.
    return true;
  }

  #send(): void {
    const { backlog, batchSender, onProgress, onOutOfTime } = this.#options;
    const batch = backlog.sendQueue.depart();
    if (batch === undefined) return;
    const { signal } = this.#stop;
    void batchSender.deliver(batch, signal).then((isDone) => {
      if (signal.aborted) return; // The records have been given up meanwhile.
      if (!isDone) {
        onOutOfTime();
        return;
      }
      backlog.sendQueue.arrived(batch);
      onProgress();
      this.schedule();
    });
  }
}
