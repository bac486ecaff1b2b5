import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { realProcess } from '../../../src/core/real-process.ts';

type ExitTimeLeft = typeof import('../../../src/ingest/process/process-exit.ts').exitTimeLeft;

const SHARED = Symbol.for('logclient.exit');
const owner = realProcess as unknown as { [SHARED]?: unknown };
const before = owner[SHARED];

/** Simulates the first exit of a process. */
async function firstCopy(): Promise<ExitTimeLeft> {
  delete owner[SHARED];
  return anotherCopy();
}

async function anotherCopy(): Promise<ExitTimeLeft> {
  vi.resetModules();
  return (await import('../../../src/ingest/process/process-exit.ts')).exitTimeLeft;
}

let exitTimeLeft: ExitTimeLeft;

beforeEach(async () => {
  exitTimeLeft = await firstCopy();
});

afterEach(() => {
  owner[SHARED] = before;
});

it('exitTimeLeft() gives the first caller all of its time', () => {
  expect(exitTimeLeft(6_500, 100)).toBe(6_500);
});

it('exitTimeLeft() subtracts used time from the next call, down to a minimum', () => {
  exitTimeLeft(6_500, 100);
  expect(exitTimeLeft(6_500, 2_100)).toBe(4_500);
  expect(exitTimeLeft(6_500, 6_600)).toBe(1_500);
});

it('exitTimeLeft() leaves no time after 10 s', () => {
  expect(exitTimeLeft(60_000, 0)).toBeLessThan(10_000);
  expect(exitTimeLeft(60_000, 9_000)).toBeLessThan(1_000);
  expect(exitTimeLeft(60_000, 10_000)).toBeLessThanOrEqual(0);
});

it('exitTimeLeft() counts the time that another copy of this package has used', async () => {
  exitTimeLeft(9_000, 0);
  const other = await anotherCopy();
  expect(other).not.toBe(exitTimeLeft);
  expect(other(9_000, 8_500)).toBe(1_000);
});
