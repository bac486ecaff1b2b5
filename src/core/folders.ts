import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Disk } from './disk.ts';
import { tryOr } from './try-or.ts';

type Folders = Pick<Disk, 'stat' | 'makeFolder'>;

/**
 * Creates a folder and its parents, also if another process creates them at the same time. Node's `recursive` option loops
 * forever where creating a folder fails with ENOENT although its parent exists, such as in /proc and below the folders of
 * an automounter.
 *
 * @throws Error of the file system
 */
export function makeFolders(
  path: string,
  mode?: number,
  disk: Folders = { stat: statSync, makeFolder: (folder) => void mkdirSync(folder, { mode }) },
): void {
  const statOf = (name: string): ReturnType<Disk['stat']> | undefined =>
    tryOr(undefined, () => disk.stat(name));
  const parent = dirname(path);
  if (parent !== path && statOf(parent) === undefined) makeFolders(parent, mode, disk);
  try {
    disk.makeFolder(path);
  } catch (error) {
    if (!statOf(path)?.isDirectory()) throw error;
  }
}
