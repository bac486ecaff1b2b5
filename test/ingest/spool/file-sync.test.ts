import { describe, expect, it } from 'vitest';
import { type Disk, nodeDisk } from '../../../src/core/disk.ts';
import { HandClock } from '../../helpers/hand-clock.ts';
import { openSpool, record, temporaryFolder } from './open-spool.ts';

const NOTED = ['write', 'close', 'sync', 'syncLater', 'syncFolder', 'syncFolderLater'] as const;

/** A disk, and its calls that matter for power loss, in order. */
function notingDisk(): { disk: Disk; calls: string[] } {
  const calls: string[] = [];
  const noted = NOTED.map((name) => {
    const call = (...values: unknown[]): unknown => {
      calls.push(name);
      return (nodeDisk[name] as (...values: unknown[]) => unknown)(...values);
    };
    return [name, call];
  });
  return { disk: { ...nodeDisk, ...Object.fromEntries(noted) }, calls };
}

describe('A spool', () => {
  it('syncs each record before push() returns, and the name of a new file, with fsync: "always"', () => {
    const { disk, calls } = notingDisk();
    const { spool } = openSpool({ directory: temporaryFolder(), fsync: 'always', disk });
    spool.push(record(1), 0);
    expect(calls).toEqual(['syncFolder', 'write', 'sync']);
    spool.push(record(2), 0);
    expect(calls.slice(3)).toEqual(['write', 'sync']);
  });

  it('syncs once per second, and only after writes, with fsync: "interval"', async () => {
    const clock = new HandClock();
    const { disk, calls } = notingDisk();
    const { spool } = openSpool({ directory: temporaryFolder(), fsync: 'interval', clock, disk });
    spool.push(record(1), 0);
    spool.push(record(2), 0);
    clock.move(999);
    expect(calls).toEqual(['write', 'write']);
    clock.move(1);
    await expect.poll(() => calls).toEqual(['write', 'write', 'syncLater', 'syncFolderLater']);
    expect(clock.pending).toBe(0);
    clock.move(5_000);
    spool.push(record(3), clock.now());
    clock.move(1_000);
    await expect.poll(() => calls.slice(4)).toEqual(['write', 'syncLater']);
  });

  it('syncs records and the names of new files before close() returns, with fsync: "interval"', () => {
    const { disk, calls } = notingDisk();
    const { spool } = openSpool({
      directory: temporaryFolder(),
      fsync: 'interval',
      clock: new HandClock(),
      disk,
    });
    spool.push(record(1), 0);
    spool.close();
    expect(calls).toEqual(['write', 'sync', 'syncFolder', 'close']);
  });

  it('never syncs with fsync: "never"', async () => {
    const clock = new HandClock();
    const { disk, calls } = notingDisk();
    const { spool } = openSpool({
      directory: temporaryFolder(),
      fsync: 'never',
      clock,
      disk,
      segmentBytes: 1,
    });
    spool.push(record(1), 0);
    clock.move(10_000);
    // Completes a file.
    spool.push(record(2), 0);
    await expect.poll(() => calls).toEqual(['write', 'write', 'close']);
    spool.close();
    expect(calls).toEqual(['write', 'write', 'close', 'close']);
  });
});
