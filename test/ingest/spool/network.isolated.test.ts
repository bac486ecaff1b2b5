import { expect, it, vi } from 'vitest';
import { openSpool, temporaryFolder } from './open-spool.ts';

const SMB2 = 0xfe534d42;
const EXT4 = 0xef53;
const type = vi.hoisted(() => ({ value: 0 }));

vi.mock('node:fs', async (load) => ({
  ...(await load<typeof import('node:fs')>()),
  statfsSync: () => ({ type: type.value }),
}));

it.runIf(process.platform === 'linux')('a spool on a network file system reports what to change', () => {
  type.value = SMB2;
  const directory = temporaryFolder();
  expect(openSpool({ directory }).troubles).toEqual([
    `The spool ${directory} is on a network file system. Give each machine its own folder: a machine can't see which processes run on another.`,
  ]);
  type.value = EXT4;
  expect(openSpool({ directory: temporaryFolder() }).troubles).toEqual([]);
});
