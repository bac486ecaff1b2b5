import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { Backlog } from '../../src/ingest/backlog.ts';
import { Backpressure } from '../../src/ingest/backpressure.ts';

const FULL = { isHalfEmpty: () => false } as unknown as Backlog;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Advances time until the wait ends. @returns its duration in milliseconds */
async function waited(backpressure: Backpressure): Promise<number> {
  const start = Date.now();
  let end: number | undefined;
  void backpressure.drainedWithin(Number.POSITIVE_INFINITY).then(() => {
    end = Date.now();
  });
  await vi.advanceTimersByTimeAsync(10_000);
  return (end ?? Number.POSITIVE_INFINITY) - start;
}

it('writers wait only until 3 s have passed without a delivery', async () => {
  const backpressure = new Backpressure(FULL, systemClock);
  await vi.advanceTimersByTimeAsync(2_600);
  expect(await waited(backpressure)).toBe(400);
  expect(backpressure.isCongested).toBe(false);
  expect(await waited(backpressure)).toBe(0);
});

it('a delivery restarts the 3 s in which writers wait', async () => {
  const backpressure = new Backpressure(FULL, systemClock);
  await vi.advanceTimersByTimeAsync(2_600);
  backpressure.delivered();
  expect(await waited(backpressure)).toBe(3_000);
});

it('writers do not wait after the clock was set back', async () => {
  const backpressure = new Backpressure(FULL, systemClock);
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(backpressure.isCongested).toBe(false);
  expect(await waited(backpressure)).toBe(0);
});
