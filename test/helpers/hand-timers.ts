import { expect, onTestFinished, vi } from 'vitest';
import { eventually } from './eventually.ts';

/** Timers of the package that {@link fire} ends. */
export interface HandTimers {
  /** Number of timers that run. */
  readonly running: number;
  /** Number of timers that were started. */
  readonly started: number;
  /** Waits until a timer runs, and ends all that do. */
  fire(): Promise<void>;
}

/** Lets timers of exactly `ms` milliseconds run until the test ends them, so that no test waits. */
export function holdTimers(ms: number): HandTimers {
  const start = globalThis.setTimeout;
  const stop = globalThis.clearTimeout;
  const held = new Map<unknown, () => void>();
  let started = 0;
  const spies = [
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, delayMs?: number) => {
      if (delayMs !== ms) return start(callback, delayMs);
      started++;
      const timer = start(() => {}, 2 ** 31 - 1).unref();
      held.set(timer, callback);
      return timer;
    }) as typeof setTimeout),
    vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
      held.delete(timer);
      stop(timer);
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return {
    get running() {
      return held.size;
    },
    get started() {
      return started;
    },
    async fire() {
      await eventually(() => expect(held.size).toBeGreaterThan(0));
      for (const [timer, callback] of [...held]) {
        clearTimeout(timer as NodeJS.Timeout);
        callback();
      }
    },
  };
}
