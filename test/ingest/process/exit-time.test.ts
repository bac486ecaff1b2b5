import { beforeEach, expect, it, vi } from 'vitest';

type ExitTimeLeft = typeof import('../../../src/ingest/process/exit-time.ts').exitTimeLeft;

let exitTimeLeft: ExitTimeLeft;

beforeEach(async () => {
  vi.resetModules(); // Simulates the first exit of a process.
  ({ exitTimeLeft } = await import('../../../src/ingest/process/exit-time.ts'));
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
