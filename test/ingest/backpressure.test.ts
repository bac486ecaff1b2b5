import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Backlog } from '../../src/ingest/batch/backlog.ts';
import { DrainWaiters } from '../../src/ingest/drain-waiters.ts';
import { systemClock } from '../../src/internal/clock.ts';

const FULL = { isHalfEmpty: () => false } as unknown as Backlog;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Advances time until the wait is over. @returns how long that took, in milliseconds */
async function waited(waiters: DrainWaiters): Promise<number> {
  const start = Date.now();
  let end: number | undefined;
  void waiters.drainedWithin(Number.POSITIVE_INFINITY).then(() => {
    end = Date.now();
  });
  await vi.advanceTimersByTimeAsync(10_000);
  return (end ?? Number.POSITIVE_INFINITY) - start;
}

it('nobody waits longer for a service than it can count as slow', async () => {
  const waiters = new DrainWaiters(FULL, systemClock);
  await vi.advanceTimersByTimeAsync(2_600);
  expect(await waited(waiters)).toBe(400);
  expect(waiters.isCongested).toBe(false);
  expect(await waited(waiters)).toBe(0);
});

it('a delivery gives a slow service its time again', async () => {
  const waiters = new DrainWaiters(FULL, systemClock);
  await vi.advanceTimersByTimeAsync(2_600);
  waiters.delivered();
  expect(await waited(waiters)).toBe(3_000);
});

it('a clock that was set back makes nobody wait', async () => {
  const waiters = new DrainWaiters(FULL, systemClock);
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(waiters.isCongested).toBe(false);
  expect(await waited(waiters)).toBe(0);
});
