import { systemClock } from '../../internal/clock.ts';
import type { WorkerThread } from './worker-thread.ts';

/** Decides whether a worker keeps the process alive: until it has started, while somebody waits for it, and at its end. */
export class WorkerKeepAlive {
  readonly #thread: WorkerThread;
  /** How many wait. */
  #holds = 0;
  #isReady = false;
  #isForGood = false;

  constructor(thread: WorkerThread) {
    this.#thread = thread;
    thread.on('ready', () => {
      this.#isReady = true;
      this.#letGo();
    });
  }

  /** @returns what ends the hold; it ends by itself after `maxMs`. */
  hold(maxMs: number): () => void {
    let holds = true;
    const release = (): void => {
      if (!holds) return;
      holds = false;
      timer.cancel();
      this.#holds--;
      this.#letGo();
    };
    const timer = systemClock.startTimer(maxMs, release);
    this.#holds++;
    this.#thread.ref();
    return release;
  }

  /** From now on the process waits for the worker to end. */
  holdForGood(): void {
    this.#isForGood = true;
    this.#thread.ref();
  }

  #letGo(): void {
    if (this.#isReady && this.#holds === 0 && !this.#isForGood) this.#thread.unref();
  }
}
