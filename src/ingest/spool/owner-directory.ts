import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type LivenessLock, lockFolder } from './liveness-lock.ts';
import { SpoolDirectory } from './spool-directory.ts';

/** The directory of a spool that lives: nobody else writes to it or takes it. */
export interface OwnerDirectory extends LivenessLock {
  readonly directory: SpoolDirectory;
}

/**
 * Makes a directory that no owner has had before, and locks it. Log data is private, so nobody else can read it.
 *
 * @throws Error of the file system
 */
export function makeOwnerDirectory(folder: string): OwnerDirectory {
  // Names sort by age. A name is never used again: a directory that is dead once stays dead.
  const name = `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
  const path = join(folder, name);
  makeFolders(path);
  const directory = new SpoolDirectory(path, false);
  try {
    return { ...lockFolder(path), directory };
  } catch (error) {
    directory.close();
    throw error;
  }
}

/**
 * Makes a folder and those above it. Node's own way never returns where a file system has no place for a folder although
 * its parent is there, such as /proc and the folders of an automounter.
 */
function makeFolders(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(path);
    if (code === 'ENOENT' && parent !== path && !existsSync(parent)) {
      makeFolders(parent);
      makeFolders(path);
    } else if (code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}
