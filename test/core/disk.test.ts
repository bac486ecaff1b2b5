import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { nodeDisk, type OpenMode } from '../../src/core/disk.ts';
import { tryOr } from '../../src/core/try-or.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('files and folders that a disk creates are readable by their user only', () => {
  const folder = nodeDisk.makeUniqueFolder(join(temporaryFolder(), 'unique-'));
  nodeDisk.makeFolder(join(folder, 'folder'));
  for (const mode of ['create', 'write'] as const) nodeDisk.close(nodeDisk.open(join(folder, mode), mode));
  const modes = ['.', 'folder', 'create', 'write'].map((name) => statSync(join(folder, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
});

it('a disk opens files in four modes', () => {
  const folder = temporaryFolder();
  const write = (name: string, mode: OpenMode, text: string, position: number | null): string => {
    const path = join(folder, name);
    const descriptor = nodeDisk.open(path, mode);
    try {
      nodeDisk.write(descriptor, Buffer.from(text), 0, text.length, position);
      return nodeDisk.readFile(path).toString();
    } finally {
      nodeDisk.close(descriptor);
    }
  };
  expect(write('created', 'create', 'abc', null)).toBe('abc');
  expect(() => write('created', 'create', 'abc', null)).toThrow('EEXIST');
  expect(write('created', 'write', 'X', 1)).toBe('aXc');
  expect(write('created', 'update', 'Y', 2)).toBe('aXY');
  expect(() => write('created', 'read', 'Z', 0)).toThrow('EBADF');
  expect(() => write('missing', 'update', 'abc', 0)).toThrow('ENOENT');
  expect(write('new', 'write', 'abc', 0)).toBe('abc');
});

it.runIf(process.platform === 'linux')('a disk closes folders after their sync', async () => {
  const folder = temporaryFolder();
  nodeDisk.syncFolder(folder);
  await nodeDisk.syncFolderLater(folder);
  const open = readdirSync('/proc/self/fd').map((name) =>
    tryOr('', () => readlinkSync(`/proc/self/fd/${name}`)),
  );
  expect(open).not.toContain(folder);
  writeFileSync(join(folder, 'file'), 'not a folder');
  await expect(nodeDisk.syncFolderLater(join(folder, 'missing'))).rejects.toThrow('ENOENT');
});
