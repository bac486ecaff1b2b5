import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogOptionsException } from '../../core/errors.ts';
import { LOCK_NAME } from '../../core/liveness-lock.ts';
import { tryOr } from '../../core/try-or.ts';
import { type DiskFolder, writing } from './disk-folder.ts';

const held = new Set<string>();

/**
 * Locks a data folder: two servers would corrupt each other's files. The lock is a socket in the folder, which servers in
 * other containers see, too. Windows and file systems without sockets have a file with a process ID instead.
 *
 * @returns a function that unlocks it.
 * @throws LogOptionsException if a running server has it, DiskError if writing fails.
 */
export async function lockDataFolder(
  folder: DiskFolder,
  onWarning: (message: string) => void,
): Promise<() => void> {
  if (process.platform === 'win32') return lockByProcess(folder.path);
  const { disk, path } = folder;
  const lock = join(path, LOCK_NAME);
  const isThere = (): boolean => tryOr(false, () => disk.stat(lock)) !== false;
  if (await disk.isLocked(path)) throw inUse(path);
  if (isThere()) await removeStaleLock(folder);
  try {
    const { release } = disk.lock(path);
    tryOr(undefined, () => disk.makePrivate(lock, 0o600));
    return release;
  } catch {
    // Another server has started at the same time.
    if (isThere()) throw inUse(path);
    const unlock = lockByProcess(path);
    onWarning(
      `The file system of ${path} doesn't support sockets, with which local servers in different containers see each other. Use this folder for only one server at a time.`,
    );
    return unlock;
  }
}

/** Removes the lock that a killed server has left, unless another server replaces it at the same time. */
async function removeStaleLock({ disk, path }: DiskFolder): Promise<void> {
  const aside = writing(path, () => disk.makeUniqueFolder(join(path, '.lock-')));
  const [lock, moved] = [join(path, LOCK_NAME), join(aside, LOCK_NAME)];
  tryOr(undefined, () => disk.rename(lock, moved));
  const isLocked = await disk.isLocked(aside);
  tryOr(undefined, () => (isLocked ? disk.rename(moved, lock) : disk.remove(moved)));
  tryOr(undefined, () => disk.removeFolder(aside));
  if (isLocked) throw inUse(path);
}

function inUse(path: string, owner = 'another local server', advice = ''): LogOptionsException {
  return new LogOptionsException(
    `startLocalServer: the "dataDir" ${path} is in use by ${owner}. Close that server, or use another folder${advice}.`,
    { cause: { code: 'EBUSY' } },
  );
}

function lockByProcess(folder: string): () => void {
  const path = join(folder, 'server.pid');
  const owner = held.has(path) ? process.pid : ownerOf(path);
  if (owner !== undefined) {
    const advice = `. If the process is another program, delete ${path}`;
    throw inUse(folder, `the local server of process ${owner}`, advice);
  }
  writing(path, () => writeFileSync(path, `${process.pid}\n`, { mode: 0o600 }));
  held.add(path);
  return () => {
    if (held.delete(path)) rmSync(path, { force: true });
  };
}

/** The process that locked a folder, if it is running. A killed process leaves its lock behind. */
function ownerOf(path: string): number | undefined {
  const owner = tryOr(0, () => Number.parseInt(readFileSync(path, 'utf8'), 10));
  // Our own process ID without our lock is from an earlier process with the same ID.
  if (!(owner > 0) || owner === process.pid) return undefined;
  try {
    process.kill(owner, 0);
    // A process that has exited is a zombie until its parent reaps it: 17 (node) Z 1 …
    const stat = tryOr('', () => readFileSync(`/proc/${owner}/stat`, 'utf8'));
    return / \(.*\) Z /s.test(stat) ? undefined : owner;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? owner : undefined;
  }
}
