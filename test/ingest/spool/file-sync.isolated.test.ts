import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tryOr } from '../../../src/core/try-or.ts';
import { FileSync } from '../../../src/ingest/spool/file-sync.ts';
import type { SpoolSettings } from '../../../src/ingest/spool/spool-options.ts';
import { HandClock } from '../../helpers/hand-clock.ts';
import { openSpool, record, temporaryFolder } from './open-spool.ts';

/** The calls that matter for power loss, in order. */
const calls = vi.hoisted((): string[] => []);

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  type Noted = 'writeSync' | 'close' | 'fdatasync' | 'fdatasyncSync' | 'fsyncSync';
  const noted = <Name extends Noted>(name: Name) =>
    ((...values: unknown[]) => {
      calls.push(name);
      return (fs[name] as (...values: unknown[]) => unknown)(...values);
    }) as (typeof fs)[Name];
  return {
    ...fs,
    writeSync: noted('writeSync'),
    close: noted('close'),
    fdatasync: noted('fdatasync'),
    fdatasyncSync: noted('fdatasyncSync'),
    fsyncSync: noted('fsyncSync'),
  };
});

vi.mock('node:fs/promises', async (load) => {
  const fs = await load<typeof import('node:fs/promises')>();
  return {
    ...fs,
    open: async (...values: Parameters<typeof fs.open>) => {
      const handle = await fs.open(...values);
      const sync = handle.sync.bind(handle);
      return Object.assign(handle, {
        sync() {
          calls.push('sync of the folder');
          return sync();
        },
      });
    },
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
    await expect.poll(() => calls).toEqual(['writeSync', 'writeSync', 'fdatasync', 'sync of the folder']);
    expect(clock.pending).toBe(0);
    clock.move(5_000);
    spool.push(record(3), clock.now());
    clock.move(1_000);
    await expect.poll(() => calls.slice(4)).toEqual(['writeSync', 'fdatasync']);
  });

  it('syncs records and the names of new files before close() returns, with fsync: "interval"', () => {
    const { spool } = openSpool({ directory: temporaryFolder(), fsync: 'interval', clock: new HandClock() });
    spool.push(record(1), 0);
    spool.close();
    expect(calls).toEqual(['writeSync', 'fdatasyncSync', 'fsyncSync']);
  });

  it('never syncs with fsync: "never"', async () => {
    const clock = new HandClock();
    const { spool } = openSpool({ directory: temporaryFolder(), fsync: 'never', clock, segmentBytes: 1 });
    spool.push(record(1), 0);
    clock.move(10_000);
    // Completes a file.
    spool.push(record(2), 0);
    await expect.poll(() => calls).toEqual(['writeSync', 'writeSync', 'close']);
    spool.close();
    expect(calls).toHaveLength(3);
  });

  it.runIf(process.platform === 'linux')('closes folders after their sync with fsync: "always"', () => {
    const directory = temporaryFolder();
    const { spool } = openSpool({ directory, fsync: 'always' });
    spool.push(record(1), 0);
    expect(calls).toContain('fsyncSync');
    const open = readdirSync('/proc/self/fd').map((name) =>
      tryOr('', () => readlinkSync(`/proc/self/fd/${name}`)),
    );
    expect(open.filter((path) => path.startsWith(directory) && statSync(path).isDirectory())).toEqual([]);
  });
});

it.runIf(process.platform === 'linux')('a folder that is synced at once does not stay open', async () => {
  const folder = await temporaryFolder();
  const sync = new FileSync({ fsync: 'always' } as SpoolSettings);
  for (let n = 0; n < 10; n++) sync.created(folder);
  const open = readdirSync('/proc/self/fd').map((name) =>
    tryOr('', () => readlinkSync(`/proc/self/fd/${name}`)),
  );
  expect(open).not.toContain(folder);
});
