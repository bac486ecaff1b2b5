import type { Timer } from '../core/clock.ts';
import type { Backlog } from './backlog.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { isLoneSuspect, type Shipment } from './failure-policy.ts';
import { HttpSender } from './send/http-sender.ts';
import type { SendOutcome } from './send/sender.ts';

export interface BatchSchedulerOptions {
  readonly context: DeliveryContext;
  readonly backlog: Backlog;
  /** Called after each response, and when the memory of a batch has shrunk. */
  readonly onProgress: (hasDelivered: boolean) => void;
  /** Called when there is no time left for undelivered records. */
  readonly onOutOfTime: () => void;
}

const DISK_RETRY_MS = 1_000;

/** Decides when batches are packed and sent. The last batch grows while requests are in flight. */
export class BatchScheduler {
  readonly #options: BatchSchedulerOptions;
  readonly #sender: HttpSender;
  #requests = new AbortController();
  /** Requests in flight, also during the pause after a failure. */
  #busy = 0;
  #isStopped = false;
  /** Runs while the last batch waits for more records. */
  #timer: Timer | undefined;
  /** Records with smaller numbers do not wait for their batch to fill. */
  #flushBefore = 0;

  constructor(options: BatchSchedulerOptions) {
    this.#options = options;
    this.#sender = new HttpSender(options.context);
  }

  /** @param deadline end of the last attempt, in epoch milliseconds. */
  setDeadline(deadline: number | undefined): void {
    this.#options.context.policy.isHurried = deadline !== undefined;
    this.#sender.setDeadline(deadline);
    this.schedule();
  }

  /** Sends records with smaller numbers without waiting for their batch to fill. */
  flushBefore(number: number): void {
    this.#flushBefore = number;
    this.schedule();
  }

  /** Calls {@link schedule} if an added record changes anything. */
  recordAdded(): void {
    const { backlog, context } = this.#options;
    if (backlog.queue.hasFullBatch) {
      if (this.#isFree || backlog.packsAhead) this.schedule();
      return;
    }
    const isWaiting = this.#timer !== undefined && backlog.queue.length < context.options.fullBatchRecords;
    if (this.#isFree && !isWaiting) this.schedule();
  }

  /** The one place that decides what happens next: pack a batch, send one, arm a timer, or nothing. */
  schedule(): void {
    const { queue, packsAhead, sendQueue } = this.#options.backlog;
    while (!this.#isStopped) {
      if (!this.#isStarved) this.#sendDue();
      const isFree = this.#isFree;
      const isFull = queue.hasFullBatch && (isFree || packsAhead);
      if (!isFull && (!isFree || queue.length === 0)) {
        const isStuck = this.#options.context.policy.isHurried && sendQueue.waiting.length > 0;
        if (isStuck && this.#busy === 0) this.#options.onOutOfTime();
        return;
      }
      if (!isFull && !this.#isDue()) {
        this.#timer ??= this.#startTimer(this.#restMs(), () => this.#intervalEnded());
        return;
      }
      if (!this.#pack()) return;
    }
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
    this.#busy = 0;
  }

  get #isFree(): boolean {
    return this.#busy < this.#options.context.options.maxRequestsInFlight;
  }

  /** True if only records at fault are packed, but others are due: the first ones would take all turns. */
  get #isStarved(): boolean {
    const { queue, sendQueue } = this.#options.backlog;
    if (!this.#isFree || queue.length === 0 || sendQueue.waiting.length === 0) return false;
    const isDue = queue.hasFullBatch || this.#isDue() || this.#restMs() === 0;
    return isDue && sendQueue.waiting.every(isLoneSuspect);
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
    const ageMs = context.world.clock.now() - (backlog.queue.oldestArrival ?? Number.POSITIVE_INFINITY);
    // At most the interval, because the clock may have been set back.
    return Math.min(flushIntervalMs, Math.max(0, flushIntervalMs - ageMs));
  }

  #startTimer(delayMs: number, callback: () => void): Timer {
    return this.#options.context.world.clock.startTimer(delayMs, callback);
  }

  #intervalEnded(): void {
    this.#timer = undefined;
    if (this.#isFree && this.#options.backlog.queue.length > 0) this.#pack();
    this.schedule();
  }

  /** Moves a batch to the send queue. @returns false if the disk can't be read at the moment. */
  #pack(): boolean {
    const { backlog, context, onProgress } = this.#options;
    this.#timer?.cancel();
    this.#timer = undefined;
    const batch = backlog.pack();
    if (batch === undefined) {
      this.#timer = this.#startTimer(DISK_RETRY_MS, () => this.#intervalEnded());
      this.#sendDue(); // What is packed can be sent meanwhile.
      return false;
    }
    const onPacked = (): void => {
      backlog.sendQueue.compressed(batch);
      onProgress(false);
    };
    batch.encode(context.options.compression).then(onPacked, () => {}); // A failure occurs again when the batch is sent.
    return true;
  }

  #sendDue(): void {
    while (this.#isFree) {
      const shipment = this.#options.backlog.next();
      if (shipment === undefined) return;
      void this.#send(shipment);
    }
  }

  async #send(shipment: Shipment): Promise<void> {
    this.#busy++;
    const { context, backlog, onProgress, onOutOfTime } = this.#options;
    const { clock } = context.world;
    const { signal } = this.#requests;
    const startedAt = clock.now();
    const outcome = await this.#attempt(shipment, signal);
    if (signal.aborted) return; // The records were dropped or recalled.
    const delay = backlog.settle(shipment, outcome, clock.now() - startedAt);
    onProgress(outcome.kind === 'delivered');
    if (delay !== undefined) await this.#sender.pause(delay, signal);
    this.#rest(shipment);
    if (signal.aborted) return;
    this.#busy--;
    // The responses to the other requests decide.
    if (delay !== undefined) this.schedule();
    else if (this.#busy === 0) onOutOfTime();
  }

  /** Lets a batch be sent again: a record at fault later than others. */
  #rest({ batch }: Shipment): void {
    const { policy, world } = this.#options.context;
    const end = (): void => {
      batch.history.isResting = false;
      this.schedule();
    };
    if (isLoneSuspect(batch)) this.#startTimer(policy.restMs(batch, world.clock.now()), end);
    else batch.history.isResting = false;
  }

  async #attempt({ sent }: Shipment, signal: AbortSignal): Promise<SendOutcome> {
    const { compression } = this.#options.context.options;
    try {
      return await this.#sender.send(await sent.encode(compression), signal);
    } catch (error) {
      // Expected failures are outcomes, so only the encoding can have failed, for lack of memory.
      const reason = error instanceof Error ? error.message : 'it could not be encoded';
      return { kind: 'rejected', statusCode: 0, reason };
    }
  }
}
