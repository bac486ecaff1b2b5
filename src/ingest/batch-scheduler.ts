import type { Timer } from '../core/clock.ts';
import type { Backlog } from './backlog.ts';
import { type BatchDelivery, deliverBatch } from './send/deliver-batch.ts';

export interface BatchSchedulerOptions extends Omit<BatchDelivery, 'signal'> {
  readonly backlog: Backlog;
  /** Called when the memory of a batch has shrunk or was released. */
  readonly onProgress: () => void;
  /** Called when there is no time left for undelivered records. */
  readonly onOutOfTime: () => void;
}

const DISK_RETRY_MS = 1_000;

/** Decides when batches are packed and sent. The last batch grows while requests are in flight. */
export class BatchScheduler {
  readonly #options: BatchSchedulerOptions;
  #requests = new AbortController();
  #isStopped = false;
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

  /** Calls {@link schedule} if an added record changes anything. */
  recordAdded(): void {
    const { backlog, context } = this.#options;
    const { maxRequestsInFlight, fullBatchRecords } = context.options;
    const isBusy = backlog.sendQueue.inFlight >= maxRequestsInFlight;
    if (backlog.queue.hasFullBatch) {
      if (!isBusy || backlog.packsAhead) this.schedule();
      return;
    }
    const isWaiting = this.#timer !== undefined && backlog.queue.length < fullBatchRecords;
    if (!isBusy && !isWaiting) this.schedule();
  }

  /** The one place that decides what happens next: pack a batch, send one, arm a timer, or nothing. */
  schedule(): void {
    if (this.#isStopped) return;
    const { backlog, context } = this.#options;
    if (this.#packFull() && this.#hasSlot && backlog.queue.length > 0) {
      if (this.#isDue()) this.#pack();
      else this.#timer ??= context.clock.startTimer(this.#restMs(), () => this.#intervalEnded());
    }
    const { sendQueue } = backlog;
    while (sendQueue.waiting > 0 && sendQueue.inFlight < context.options.maxRequestsInFlight) this.#send();
  }

  /** Aborts the requests in flight and starts no more. */
  stop(): void {
    this.#timer?.cancel();
    this.#isStopped = true;
    this.abortRequests();
  }

  /** Aborts the requests in flight. Their batches stay in flight until they are recalled. */
  abortRequests(): void {
    this.#requests.abort();
    this.#requests = new AbortController();
  }

  /** True if a batch that is packed now can be sent immediately. */
  get #hasSlot(): boolean {
    const { backlog, context } = this.#options;
    return backlog.sendQueue.waiting + backlog.sendQueue.inFlight < context.options.maxRequestsInFlight;
  }

  /** Packs all full batches. @returns false if the disk can't be read at the moment. */
  #packFull(): boolean {
    const { backlog } = this.#options;
    while (backlog.queue.hasFullBatch && (backlog.packsAhead || this.#hasSlot)) {
      if (!this.#pack()) return false;
    }
    return true;
  }

  /** True if the last batch should not wait for more records. */
  #isDue(): boolean {
    const { backlog, context } = this.#options;
    const { firstNumber, length } = backlog.queue;
    return firstNumber < this.#flushBefore || length >= context.options.fullBatchRecords;
  }

  /** How long the oldest record can still wait for its batch to fill. */
  #restMs(): number {
    const { backlog, context } = this.#options;
    const { flushIntervalMs } = context.options;
    const ageMs = context.clock.now() - (backlog.queue.oldestArrival ?? Number.POSITIVE_INFINITY);
    // At most the interval, because the clock may have been set back.
    return Math.min(flushIntervalMs, Math.max(0, flushIntervalMs - ageMs));
  }

  #intervalEnded(): void {
    this.#timer = undefined;
    if (this.#hasSlot && this.#options.backlog.queue.length > 0) this.#pack();
    this.schedule();
  }

  /** Moves a batch to the send queue. @returns false if the disk can't be read at the moment. */
  #pack(): boolean {
    const { backlog, context, onProgress } = this.#options;
    this.#timer?.cancel();
    this.#timer = undefined;
    const batch = backlog.pack();
    if (batch === undefined) {
      this.#timer = context.clock.startTimer(DISK_RETRY_MS, () => this.#intervalEnded());
      return false;
    }
    const onPacked = (): void => {
      backlog.sendQueue.compressed(batch);
      onProgress();
    };
    batch.encodeNext().then(onPacked, () => {}); // A failure occurs again when the batch is sent.
    return true;
  }

  #send(): void {
    const { backlog, onProgress, onOutOfTime } = this.#options;
    const batch = backlog.takeNext();
    if (batch === undefined) return;
    const { signal } = this.#requests;
    void deliverBatch(batch, { ...this.#options, signal }).then((result) => {
      if (signal.aborted) return; // The records were dropped.
      if (result === 'stopped') {
        onOutOfTime();
        return;
      }
      if (result === 'refused') backlog.sendQueue.putBack(batch);
      else backlog.sendQueue.remove(batch);
      onProgress();
      this.schedule();
    });
  }
}
