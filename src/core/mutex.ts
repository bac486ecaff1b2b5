import { abortable } from './abortable.ts';

/** Runs tasks one at a time, in order of arrival. Failed tasks don't stop later ones. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** The outcome of `task`; rejects with the reason of `signal` if it aborts before the task starts. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#last;
    const outcome = (signal === undefined ? before : abortable(before, signal)).then(task);
    // Without their outcomes, which each task would otherwise add to those before it.
    this.#last = Promise.allSettled([before, outcome]).then(() => {});
    return outcome;
  }
}
