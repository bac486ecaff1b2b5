import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type LivenessLock, lockFolder } from './liveness-lock.ts';
import { SpoolDirectory } from './spool-directory.ts';

/** Locked directory of a running spool. No other process writes to it or claims it. */
export interface OwnerDirectory extends LivenessLock {
  readonly directory: SpoolDirectory;
}

/**
 * Creates and locks a directory with a new name. Only the user can read it, because log data is private.
 *
 * @throws Error of the file system
 */
export function makeOwnerDirectory(folder: string): OwnerDirectory {
  // Names sort by age and are never reused, so a dead directory stays dead.
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
 * Creates a folder and its parents. Node's `recursive` option loops forever where creating a folder fails with ENOENT
 * although its parent exists, such as in /proc and below the folders of an automounter.
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
