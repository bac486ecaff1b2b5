import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedClock } from '../../bench/simulation/clock.ts';
import { SimulatedDisk } from '../../bench/simulation/simulated-disk.ts';
import { type Disk, nodeDisk } from '../../src/core/disk.ts';
import { lockDataFolder } from '../../src/server/node/data-folder-lock.ts';
import { DiskFolder } from '../../src/server/node/disk-folder.ts';

let warnings: string[];
beforeEach(() => {
  warnings = [];
});

function lock(path: string, disk: Disk): Promise<() => void> {
  return lockDataFolder(DiskFolder.open(path, disk), (message) => warnings.push(message));
}

/** Servers with the same process ID, as in containers, on one volume. */
describe.skipIf(process.platform === 'win32')('Two servers with the same process ID', () => {
  let clock: SimulatedClock;
  let disk: SimulatedDisk;
  beforeEach(() => {
    clock = new SimulatedClock();
    disk = new SimulatedDisk({ clock, random: Math.random });
  });

  async function locked(server: Disk): Promise<() => void> {
    const locking = lock('/data', server);
    locking.catch(() => {});
    await clock.runUntil(clock.now() + 100);
    return locking;
  }

  it('never have the same folder, until the first is closed or killed', async () => {
    const [first, second, third] = [disk.startProcess(), disk.startProcess(), disk.startProcess()];
    const unlock = await locked(first);
    await expect(locked(second)).rejects.toThrow('"dataDir" /data is in use by another local server');
    unlock();
    await locked(second);
    await expect(locked(third)).rejects.toMatchObject({
      message: expect.stringContaining('is in use'),
      cause: { code: 'EBUSY' },
    });
    second.kill();
    await locked(third);
    expect(disk.filesIn('/data')).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('never both get the folder of a killed server when they start at the same time', async () => {
    for (let round = 0; round < 50; round++) {
      const killed = disk.startProcess();
      await locked(killed);
      killed.kill();
      const servers = [disk.startProcess(), disk.startProcess()];
      const starts = Promise.allSettled(servers.map((server) => lock('/data', server)));
      await clock.runUntil(clock.now() + 100);
      const results = (await starts).map(({ status }) => status).sort();
      expect(results).not.toEqual(['fulfilled', 'fulfilled']);
      for (const server of servers) server.kill();
    }
  });
});

describe('A data folder on a file system without sockets', () => {
  const withoutSockets: Disk = {
    ...nodeDisk,
    lock() {
      throw Object.assign(new Error('listen ENOTSUP'), { code: 'ENOTSUP' });
    },
  };
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'data-folder-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is locked by a process ID, with a warning', async () => {
    const unlock = await lock(folder, withoutSockets);
    expect(await readFile(join(folder, 'server.pid'), 'utf8')).toBe(`${process.pid}\n`);
    await expect(lock(folder, withoutSockets)).rejects.toThrow(
      `is in use by the local server of process ${process.pid}`,
    );
    unlock();
    (await lock(folder, withoutSockets))();
    expect(await readdir(folder)).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining("doesn't support sockets"),
      expect.stringContaining("doesn't support sockets"),
    ]);
  });

  it.skipIf(process.platform !== 'linux')(
    'is free again if the process of its server is a zombie',
    async () => {
      // sleep replaces the shell and never reaps cat, which exits when its input ends.
      const parent = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 1000']);
      try {
        const [line] = (await once(parent.stdout, 'data')) as [Buffer];
        const pid = Number(line);
        const statOf = (id?: number): Promise<string> => readFile(`/proc/${id}/stat`, 'utf8');
        await expect.poll(() => statOf(parent.pid)).toContain('(sleep)');
        parent.stdin.end();
        await expect.poll(() => statOf(pid)).toContain(' Z ');
        await writeFile(join(folder, 'server.pid'), `${pid}\n`);
        (await lock(folder, withoutSockets))();
        await writeFile(join(folder, 'server.pid'), `${parent.pid}\n`);
        await expect(lock(folder, withoutSockets)).rejects.toThrow(
          'is in use by the local server of process',
        );
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );
});
