import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
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
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const directory = new SpoolDirectory(path, false);
  try {
    return { ...lockFolder(path), directory };
  } catch (error) {
    directory.close();
    throw error;
  }
}
