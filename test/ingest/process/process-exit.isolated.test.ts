import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { realProcess } from '../../../src/core/real-process.ts';

type ProcessExit = typeof import('../../../src/ingest/process/process-exit.ts');

const SHARED = Symbol.for('logclient.exit');
const owner = realProcess as unknown as { [SHARED]?: unknown };
const before = owner[SHARED];

/** Simulates the first exit of a process. */
async function firstCopy(): Promise<ProcessExit> {
  delete owner[SHARED];
  return anotherCopy();
}

async function anotherCopy(): Promise<ProcessExit> {
  vi.resetModules();
  return import('../../../src/ingest/process/process-exit.ts');
}

let copy: ProcessExit;
const exitTimeLeft = (timeoutMs: number, now: number): number => copy.exitTimeLeft(timeoutMs, now);
const closeTimeLeft = (timeoutMs: number, now: number): number =>
  copy.processExit.closeTimeLeft(timeoutMs, now);

beforeEach(async () => {
  copy = await firstCopy();
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
  expect(other.exitTimeLeft).not.toBe(copy.exitTimeLeft);
  expect(other.exitTimeLeft(9_000, 8_500)).toBe(1_000);
});

describe('After a signal that the program handles,', () => {
  beforeEach(() => copy.askToExit(100));

  it('the time since the signal counts for close() and for the exit that follow', () => {
    expect(closeTimeLeft(5_000, 3_100)).toBe(2_000);
    expect(exitTimeLeft(5_000, 3_600)).toBe(1_500);
    expect(exitTimeLeft(60_000, 9_100)).toBe(500);
  });

  it('another signal does not start the time again', () => {
    copy.askToExit(2_100);
    expect(exitTimeLeft(5_000, 3_100)).toBe(2_000);
  });

  it('the last records have a second and a half, or what `closeTimeoutMs` allows', () => {
    expect(closeTimeLeft(5_000, 9_500)).toBe(1_500);
    expect(closeTimeLeft(300, 9_500)).toBe(300);
    expect(exitTimeLeft(5_000, 9_500)).toBe(1_500);
  });

  it('a program that goes on has all of its time when it exits later', () => {
    expect(closeTimeLeft(60_000, 10_000)).toBe(60_000);
    expect(exitTimeLeft(5_000, 10_000)).toBe(5_000);
  });

  it('a signal that ends the process has the rest of this time, and Ctrl-C a second', () => {
    copy.startExit(4_100);
    expect(exitTimeLeft(60_000, 4_100)).toBe(5_500);
    copy.resumeProcess();
    copy.startExit(4_100, 1_000);
    expect(exitTimeLeft(60_000, 4_100)).toBe(1_000);
  });
});
