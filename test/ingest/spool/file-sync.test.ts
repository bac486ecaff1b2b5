import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HandClock } from '../../helpers/hand-clock.ts';
import { openSpool, record, temporaryFolder } from './open-spool.ts';

/** The calls that matter for power loss, in order. */
const calls = vi.hoisted((): string[] => []);

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  const noted = <Name extends 'writeSync' | 'fdatasync' | 'fdatasyncSync' | 'fsyncSync'>(name: Name) =>
    ((...values: unknown[]) => {
      calls.push(name);
      return (fs[name] as (...values: unknown[]) => unknown)(...values);
    }) as (typeof fs)[Name];
  return {
    ...fs,
    writeSync: noted('writeSync'),
    fdatasync: noted('fdatasync'),
    fdatasyncSync: noted('fdatasyncSync'),
    fsyncSync: noted('fsyncSync'),
  };
});

beforeEach(() => {
  calls.length = 0;
});
afterEach(() => vi.restoreAllMocks());

describe('A spool', () => {
  it('syncs each record before push() returns, and the name of a new file, with fsync: "always"', () => {
    const { spool } = openSpool({ directory: temporaryFolder(), fsync: 'always' });
    spool.push(record(1), 0);
    expect(calls).toEqual(['fsyncSync', 'writeSync', 'fdatasyncSync']);
    spool.push(record(2), 0);
    expect(calls.slice(3)).toEqual(['writeSync', 'fdatasyncSync']);
  });

  it('syncs once per second, and only after writes, with fsync: "interval"', async () => {
    const clock = new HandClock();
    const { spool } = openSpool({ directory: temporaryFolder(), fsync: 'interval', clock });
    spool.push(record(1), 0);
    spool.push(record(2), 0);
    clock.move(999);
    expect(calls).toEqual(['writeSync', 'writeSync']);
    clock.move(1);
    await expect.poll(() => calls).toEqual(['writeSync', 'writeSync', 'fdatasync']);
    expect(clock.pending).toBe(0);
    clock.move(5_000);
    spool.push(record(3), clock.now());
    clock.move(1_000);
    await expect.poll(() => calls.filter((name) => name === 'fdatasync')).toHaveLength(2);
  });

  it('syncs before close() returns with fsync: "interval"', () => {
    const { spool } = openSpool({ directory: temporaryFolder(), fsync: 'interval', clock: new HandClock() });
    spool.push(record(1), 0);
    spool.close();
    expect(calls).toEqual(['writeSync', 'fdatasyncSync']);
  });

  it('never syncs with fsync: "never"', () => {
    const clock = new HandClock();
    const { spool } = openSpool({ directory: temporaryFolder(), fsync: 'never', clock });
    spool.push(record(1), 0);
    clock.move(10_000);
    spool.close();
    expect(calls).toEqual(['writeSync']);
  });
});
