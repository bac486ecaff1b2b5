import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { Backpressure } from '../../src/ingest/backpressure.ts';

const FULL = { hasRoom: () => false, isHalfEmpty: () => false };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function withFullQueue(perWriteMs = Number.POSITIVE_INFINITY): Backpressure {
  return new Backpressure({
    backlog: FULL,
    clock: systemClock,
    limits: { perWriteMs, untilCaughtUpMs: Number.POSITIVE_INFINITY },
    sendNow: () => {},
    keepAlive: () => {},
  });
}

/** Advances time until the records of a write are added. @returns how long they were held, in milliseconds */
async function heldMs(backpressure: Backpressure): Promise<number> {
  const start = Date.now();
  let end: number | undefined;
  backpressure.write(
    {
      add: () => !backpressure.shouldWait,
      onAdded: () => {
        end = Date.now();
      },
    },
    true,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  return (end ?? Number.POSITIVE_INFINITY) - start;
}

it('writers wait only until 3 s have passed without a delivery', async () => {
  const backpressure = withFullQueue();
  await vi.advanceTimersByTimeAsync(2_600);
  expect(await heldMs(backpressure)).toBe(400);
  expect(backpressure.shouldWait).toBe(false);
  expect(await heldMs(backpressure)).toBe(0);
});

it('a delivery restarts the 3 s in which writers wait', async () => {
  const backpressure = withFullQueue();
  await vi.advanceTimersByTimeAsync(2_600);
  backpressure.delivered();
  expect(await heldMs(backpressure)).toBe(3_000);
});

it('writers do not wait after the clock was set back', async () => {
  const backpressure = withFullQueue();
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(backpressure.shouldWait).toBe(false);
  expect(await heldMs(backpressure)).toBe(0);
});

it('each write waits for a slow service within its limit', async () => {
  const backpressure = withFullQueue(700);
  expect(await heldMs(backpressure)).toBe(700);
  backpressure.delivered();
  expect(await heldMs(backpressure)).toBe(700);
});

it('a release while a record is added lets the pass in progress and the next write ignore the limit', () => {
  const backpressure = withFullQueue();
  const accepted: boolean[] = [];
  const add = (): boolean => {
    accepted.push(backpressure.shouldWait);
    if (accepted.length === 2) backpressure.release();
    if (accepted.length > 1) accepted.push(backpressure.shouldWait);
    return accepted.length > 1;
  };
  const onAdded = (): void => {
    if (accepted.length === 3) backpressure.write({ add, onAdded }, false);
  };
  backpressure.write({ add, onAdded }, true);
  expect(accepted).toEqual([true]);
  backpressure.skip();
  expect(accepted).toEqual([true, false, false, false, false]);
  expect(backpressure.hasHeldWrite).toBe(false);
});
