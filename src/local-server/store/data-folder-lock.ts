import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LogOptionsException } from '../../errors.ts';
import { writing } from './state-file.ts';

const held = new Set<string>();

/**
 * Takes a data folder for one server: two that write to one would tear each other's files.
 *
 * @returns what gives the folder back.
 * @throws LogOptionsException when a server that is alive has it, DiskError when the disk refuses.
 */
export function lockDataFolder(folder: string): () => void {
  const path = join(resolve(folder), 'server.pid');
  const owner = held.has(path) ? process.pid : ownerOf(path);
  if (owner !== undefined) {
    throw new LogOptionsException(
      `startLocalServer: the "dataDir" ${folder} is in use by the local server of process ${owner}. Close that server, use another folder, or delete ${path} if the process is another program.`,
    );
  }
  writing(path, () => writeFileSync(path, `${process.pid}\n`));
  held.add(path);
  return () => {
    if (held.delete(path)) rmSync(path, { force: true });
  };
}

/** The process that holds a folder, if it is still there. A process that was killed leaves its file behind. */
function ownerOf(path: string): number | undefined {
  let owner: number;
  try {
    owner = Number.parseInt(readFileSync(path, 'utf8'), 10);
  } catch {
    return undefined;
  }
  // Our own number without our holding the folder: it comes from an earlier process that had the same one.
  if (!(owner > 0) || owner === process.pid) return undefined;
  try {
    process.kill(owner, 0);
    return isZombie(owner) ? undefined : owner;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? owner : undefined;
  }
}

/** Whether a process has exited and its parent has not noticed, which containers without an init process never do. */
function isZombie(pid: number): boolean {
  try {
    // The state follows the name of the program: 17 (node) Z 1 …
    return / \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
