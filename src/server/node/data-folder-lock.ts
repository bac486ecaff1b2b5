import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LogOptionsException } from '../../core/errors.ts';
import { writing } from './disk-folder.ts';

const held = new Set<string>();

/**
 * Locks a data folder: two servers would corrupt each other's files.
 *
 * @returns a function that unlocks it.
 * @throws LogOptionsException if a running server has it, DiskError if writing fails.
 */
export function lockDataFolder(folder: string): () => void {
  const path = join(resolve(folder), 'server.pid');
  const owner = held.has(path) ? process.pid : ownerOf(path);
  if (owner !== undefined) {
    throw new LogOptionsException(
      `startLocalServer: the "dataDir" ${folder} is in use by the local server of process ${owner}. Close that server, use another folder, or delete ${path} if the process is another program.`,
    );
  }
  writing(path, () => writeFileSync(path, `${process.pid}\n`, { mode: 0o600 }));
  held.add(path);
  return () => {
    if (held.delete(path)) rmSync(path, { force: true });
  };
}

/** The process that locked a folder, if it is running. A killed process leaves its lock behind. */
function ownerOf(path: string): number | undefined {
  let owner: number;
  try {
    owner = Number.parseInt(readFileSync(path, 'utf8'), 10);
  } catch {
    return undefined;
  }
  // Our own process ID without our lock is from an earlier process with the same ID.
  if (!(owner > 0) || owner === process.pid) return undefined;
  try {
    process.kill(owner, 0);
    return isZombie(owner) ? undefined : owner;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? owner : undefined;
  }
}

/** Whether a process has exited but its parent has not reaped it, as in containers without an init process. */
function isZombie(pid: number): boolean {
  try {
    // The state follows the name of the program: 17 (node) Z 1 …
    return / \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
