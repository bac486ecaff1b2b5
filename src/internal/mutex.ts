import { abortable } from './abortable.ts';

/** Runs tasks one at a time, in the order in which they come. One that fails does not stop those behind it. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** The outcome of `task`, whose turn has come; or the reason of `signal`, if it aborts before that. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#last;
    let leave = (): void => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = before.then(() => left);
    try {
      await (signal === undefined ? before : abortable(before, signal));
      return await task();
    } finally {
      leave();
    }
  }
}
