import { systemClock, type Timer } from '../../internal/clock.ts';
import { OutgoingLines } from './outgoing-lines.ts';
import type { WorkerProgress } from './worker-progress.ts';
import { SHARED_BYTES, type WorkerThread } from './worker-thread.ts';

/** As much is gathered before the worker gets it, when the program doesn't turn its event loop meanwhile. */
const MAX_UNSENT_BYTES = 64 * 1024;

/** A program that is so far ahead of its worker waits for it, as long as it takes something. */
const MAX_AHEAD_BYTES = 24 * 1024 * 1024;

/** How long it waits at a time. */
const MAX_WAIT_MS = 25;

/** A worker that has taken nothing for so long holds lines back for a service that is too slow, or has not started. */
const STUCK_AFTER_MS = 500;

/** How often it is looked whether the worker has made room. */
const ROOM_INTERVAL_MS = 5;

export interface LineFeedOptions {
  readonly thread: WorkerThread;
  readonly progress: WorkerProgress;
  /** Called when the program is far ahead of the worker, which takes nothing. */
  readonly onFarAhead: () => void;
}

/**
 * Gives lines to a worker as fast as it takes them. What the memory that they share has no room for waits here, for
 * thread-stream would stand still with the program's thread until the worker has taken all that is there.
 */
export class LineFeed {
  readonly #options: LineFeedOptions;
  readonly #lines = new OutgoingLines();
  /** How much of the shared memory is written. It is used again from its beginning when it is full and taken. */
  #sharedBytes = 0;
  #isSending = false;
  #roomTimer: Timer | undefined;
  /** How many lines the worker had taken when it was waited for in vain, and how long it was. */
  #stuckAt: number | undefined;
  #vainMs = 0;
  #whenSent: (() => void)[] = [];

  constructor(options: LineFeedOptions) {
    this.#options = options;
  }

  write(text: string): void {
    const { progress } = this.#options;
    this.#lines.push(text, progress.takenLines);
    if (this.#lines.unsentBytes > MAX_UNSENT_BYTES) this.#send();
    else this.#sendSoon();
    if (this.#lines.keptBytes > MAX_AHEAD_BYTES) this.#waitForWorker();
  }

  /** Resolves when all that was written is with the worker, or {@link drain} takes it back. */
  sent(): Promise<void> {
    this.#send();
    if (this.#lines.unsentBytes === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenSent.push(resolve));
  }

  /**
   * Blocks this thread until all is with the worker.
   *
   * @returns whether it is; false when the worker has taken nothing for `timeoutMs`
   */
  sendSync(timeoutMs: number): boolean {
    const { progress } = this.#options;
    for (;;) {
      const taken = progress.takenLines;
      this.#send();
      if (this.#lines.unsentBytes === 0) return true;
      if (!progress.waitForTaken(taken, timeoutMs)) return false;
    }
  }

  /** Ends it. @returns what the worker has not taken over. */
  drain(): string {
    this.#roomTimer?.cancel();
    const left = this.#lines.drain(this.#options.progress.takenLines);
    this.#tellSent();
    return left;
  }

  #sendSoon(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    setImmediate(() => {
      this.#isSending = false;
      this.#send();
    });
  }

  /** Sends as much as there is room for. */
  #send(): void {
    const { thread } = this.#options;
    for (let room = this.#room(); room > 0 && !thread.destroyed; room = this.#room()) {
      const bytes = this.#lines.send(room);
      if (bytes === undefined) {
        this.#tellSent();
        return;
      }
      this.#sharedBytes = (this.#sharedBytes % SHARED_BYTES) + bytes.length;
      thread.write(bytes);
    }
    if (thread.destroyed) return;
    this.#roomTimer ??= systemClock.startTimer(ROOM_INTERVAL_MS, () => {
      this.#roomTimer = undefined;
      this.#send();
    });
  }

  #room(): number {
    if (this.#sharedBytes < SHARED_BYTES) return SHARED_BYTES - this.#sharedBytes;
    return this.#lines.isTaken(this.#options.progress.takenLines) ? SHARED_BYTES : 0;
  }

  #tellSent(): void {
    for (const tell of this.#whenSent.splice(0)) tell();
  }

  /** The memory for what the worker has not taken is bounded, and nothing is lost as long as it takes something. */
  #waitForWorker(): void {
    const { progress, onFarAhead } = this.#options;
    const taken = progress.takenLines;
    if (taken !== this.#stuckAt) this.#vainMs = 0;
    // A program must not stand still again and again for a worker that does.
    else if (this.#vainMs >= STUCK_AFTER_MS) return;
    this.#send();
    if (progress.waitForTaken(taken, MAX_WAIT_MS)) return;
    this.#stuckAt = taken;
    this.#vainMs += MAX_WAIT_MS;
    if (this.#vainMs === STUCK_AFTER_MS) onFarAhead();
  }
}
