import { expect, onTestFinished, vi } from 'vitest';
import { turnsOfTheLoop } from '../helpers/hand-clock.ts';

export interface FakeTime {
  /** Waits until a delay of `waitMs` has started, and skips it. */
  waitsFor(waitMs: number): Promise<void>;
  /**
   * Waits until a delay of `waitMs` has started, checks that nothing happens before it ends, and skips it.
   *
   * @param count counts events that must not happen earlier.
   */
  skip(waitMs: number, count: () => number): Promise<void>;
}

/** In real time, for what should happen immediately. */
const PATIENCE_MS = 20_000;

/** Waits until a check passes: jobs are deleted in the background, and timers may be stopped. */
export async function soon(check: () => void): Promise<void> {
  for (const begunAt = Date.now(); ; await new Promise((resolve) => setImmediate(resolve))) {
    try {
      return check();
    } catch (error) {
      if (Date.now() - begunAt > PATIENCE_MS) throw error;
    }
  }
}

/** Stops all timers for the rest of the test, but not the date or sockets. */
export function stopTime(): FakeTime {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const started = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => {
    started.mockRestore();
    vi.useRealTimers();
  });
  let known = 0;
  const begunWait = (waitMs: number): number =>
    started.mock.calls.findIndex(
      ([, delayMs], index) => index >= known && Math.abs((delayMs ?? 0) - waitMs) < 1,
    );
  async function waitsFor(waitMs: number): Promise<void> {
    // Vitest's own ways to wait would move the clock.
    for (const begunAt = Date.now(); begunWait(waitMs) === -1; ) {
      if (Date.now() - begunAt > PATIENCE_MS) throw new Error(`Nobody waits for ${waitMs} ms.`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return {
    waitsFor,
    async skip(waitMs, count) {
      await waitsFor(waitMs);
      known = begunWait(waitMs) + 1;
      const before = count();
      // The delay may have started slightly before the end of the previous one.
      const mostOfItMs = Math.floor(0.9 * waitMs);
      await vi.advanceTimersByTimeAsync(mostOfItMs);
      await turnsOfTheLoop();
      expect(count()).toBe(before);
      await vi.advanceTimersByTimeAsync(waitMs - mostOfItMs + 1);
    },
  };
}
