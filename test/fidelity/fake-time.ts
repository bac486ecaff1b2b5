import { expect, onTestFinished, vi } from 'vitest';
import { turnsOfTheLoop } from '../helpers/hand-clock.ts';

export interface FakeTime {
  /** Waits until somebody waits for `waitMs`, and lets them wait. */
  waitsFor(waitMs: number): Promise<void>;
  /**
   * Waits until somebody begins to wait for `waitMs`, sees that nothing happens before that time is over, and lets it be
   * over.
   *
   * @param count counts what must not happen before.
   */
  skip(waitMs: number, count: () => number): Promise<void>;
}

/** In real time, for what should happen at once. */
const PATIENCE_MS = 20_000;

/** Stops the clock for the rest of the test, but not the date. Sockets go on. */
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
      // The wait may have begun a little before the end of the one before it.
      const mostOfItMs = Math.floor(0.9 * waitMs);
      await vi.advanceTimersByTimeAsync(mostOfItMs);
      await turnsOfTheLoop();
      expect(count()).toBe(before);
      await vi.advanceTimersByTimeAsync(waitMs - mostOfItMs + 1);
    },
  };
}
