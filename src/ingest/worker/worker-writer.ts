import { systemClock, type Timer } from '../../internal/clock.ts';
import { OutgoingLines } from './outgoing-lines.ts';
import type { WorkerProgress } from './worker-progress.ts';
import { SHARED_BYTES, type WorkerThread } from './worker-thread.ts';

/** As much is gathered before the worker gets it, when the program doesn't turn its event loop meanwhile. */
const MAX_UNSENT_BYTES = 64 * 1024;

/** A program that is so far ahead of its worker waits for it, as long as it takes something. */
const MAX_AHEAD_BYTES = 16 * 1024 * 1024;

/** How long it waits at a time. */
const MAX_WAIT_MS = 25;

/** A worker that has taken nothing for so long holds lines back for a service that is too slow, or has not started. */
const STUCK_AFTER_MS = 500;

/** How often it is looked how far the worker has come. */
const LOOK_INTERVAL_MS = 5;

/** Bytes of a character that is cut stay with thread-stream. */
const MAX_CUT_BYTES = 3;

export interface WorkerWriterOptions {
  readonly thread: WorkerThread;
  readonly progress: WorkerProgress;
  /** Called when the program is far ahead of the worker, which takes nothing. */
  readonly onFarAhead: () => void;
}

/**
 * Gives lines to a worker as fast as it takes them. What the memory that they share has no room for waits here, for
 * thread-stream would stand still with the program's thread until the worker has taken all that is there.
 */
export class WorkerWriter {
  readonly #options: WorkerWriterOptions;
  readonly #lines = new OutgoingLines();
  /** How much of the shared memory is written. It is used again from its beginning when it is full and taken. */
  #sharedBytes = 0;
  #sentBytes = 0;
  #isSending = false;
  #lookTimer: Timer | undefined;
  /** How many lines the worker had taken when it was waited for last, and for how long that was in vain since. */
  #stuckAt: number | undefined;
  #vainMs = 0;
  /** Those who wait until so much has arrived, the first ones first. */
  #arrivals: { readonly bytes: number; readonly tell: () => void }[] = [];

  constructor(options: WorkerWriterOptions) {
    this.#options = options;
  }

  write(text: string): void {
    const { progress } = this.#options;
    this.#lines.push(text, progress.takenLines);
    if (this.#lines.unsentBytes > MAX_UNSENT_BYTES) this.send();
    else this.#sendSoon();
    if (this.#lines.keptBytes > MAX_AHEAD_BYTES) this.#waitForWorker();
  }

  /** Sends as much as there is room for. */
  send(): void {
    const { thread } = this.#options;
    for (let room = this.#room(); room > 0 && !thread.destroyed; room = this.#room()) {
      const bytes = this.#lines.send(room);
      if (bytes === undefined) return;
      this.#sharedBytes = (this.#sharedBytes % SHARED_BYTES) + bytes.length;
      this.#sentBytes += bytes.length;
      thread.write(bytes);
    }
    this.#lookLater();
  }

  /** Resolves when all that was written by now has reached the worker, or {@link drain} takes it back. */
  arrived(): Promise<void> {
    this.send();
    const bytes = this.#sentBytes + this.#lines.unsentBytes;
    if (this.#hasArrived(bytes)) return Promise.resolve();
    this.#lookLater();
    return new Promise((tell) => this.#arrivals.push({ bytes, tell }));
  }

  /**
   * Blocks this thread until all has reached the worker.
   *
   * @returns whether it has; false when the worker is gone, or has done nothing for `timeoutMs`
   */
  sendSync(timeoutMs: number): boolean {
    const { progress, thread } = this.#options;
    for (;;) {
      const { steps } = progress;
      this.send();
      if (this.#lines.unsentBytes === 0 && this.#hasArrived(this.#sentBytes)) return true;
      if (thread.destroyed || !progress.waitForStep(steps, timeoutMs)) return false;
    }
  }

  /** Ends it. @returns what the worker has not taken over. */
  drain(): string {
    this.#lookTimer?.cancel();
    const left = this.#lines.drain(this.#options.progress.takenLines);
    for (const { tell } of this.#arrivals.splice(0)) tell();
    return left;
  }

  #sendSoon(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    setImmediate(() => {
      this.#isSending = false;
      this.send();
    });
  }

  #lookLater(): void {
    if (this.#options.thread.destroyed) return;
    this.#lookTimer ??= systemClock.startTimer(LOOK_INTERVAL_MS, () => {
      this.#lookTimer = undefined;
      this.send();
      while (this.#arrivals[0] !== undefined && this.#hasArrived(this.#arrivals[0].bytes)) {
        this.#arrivals.shift()?.tell();
      }
      if (this.#arrivals.length > 0) this.#lookLater();
    });
  }

  /** Whether so many of all bytes have reached the worker. It counts in 32 bits. */
  #hasArrived(bytes: number): boolean {
    return ((bytes - this.#options.progress.receivedBytes) | 0) <= MAX_CUT_BYTES;
  }

  #room(): number {
    if (this.#sharedBytes < SHARED_BYTES) return SHARED_BYTES - this.#sharedBytes;
    const isFree =
      this.#lines.isTaken(this.#options.progress.takenLines) && this.#hasArrived(this.#sentBytes);
    return isFree ? SHARED_BYTES : 0;
  }

  /** The memory for what the worker has not taken is bounded, and nothing is lost as long as it takes something. */
  #waitForWorker(): void {
    const { progress, onFarAhead } = this.#options;
    // A program must not stand still again and again for a worker that does.
    if (progress.takenLines !== this.#stuckAt) this.#vainMs = 0;
    else if (this.#vainMs >= STUCK_AFTER_MS) return;
    this.#stuckAt = progress.takenLines;
    const { steps } = progress;
    this.send();
    if (progress.waitForStep(steps, MAX_WAIT_MS)) return;
    this.#vainMs += MAX_WAIT_MS;
    if (this.#vainMs === STUCK_AFTER_MS) onFarAhead();
  }
}
