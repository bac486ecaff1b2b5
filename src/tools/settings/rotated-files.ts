import type { Stats } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What rotation appends to a name: `.1`, `-20260203`, `-20260203-1770112800`. Compressed files are not read. */
const SUFFIX = /^[.-]\d[\d.-]*$/;

interface FoundFile {
  readonly path: string;
  readonly stats: Stats;
}

/** The rotated files of `path` that were created after `since` (epoch milliseconds), oldest first. */
export async function rotatedFiles(path: string, since: number): Promise<FoundFile[]> {
  const name = basename(path);
  const names = await readdir(dirname(path)).catch(() => []);
  const paths = names
    .filter((other) => other.startsWith(name) && SUFFIX.test(other.slice(name.length)))
    .map((other) => join(dirname(path), other));
  return (await Promise.all(paths.map(find)))
    .filter((file) => file !== undefined)
    .filter((file) => file.stats.isFile() && birthTime(file) > since)
    .sort((one, other) => birthTime(one) - birthTime(other));
}

/**
 * Opens the next file after the one created at `since`: a rotated file or the current one. `undefined` during a rotation, and
 * while the next one is empty: its writer still has the old one.
 */
export async function openNextFile(path: string, since: number): Promise<FileHandle | undefined> {
  const current = await find(path);
  const successor = (await rotatedFiles(path, since))[0] ?? current;
  return successor?.stats.size ? openUnlessReplaced(successor) : undefined;
}

/** Opens a file unless it has been renamed since it was found. */
export async function openUnlessReplaced({ path, stats }: FoundFile): Promise<FileHandle | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined || isSameFile(await file.stat(), stats)) return file;
  await file.close();
  return undefined;
}

/** When a file was created, in epoch milliseconds; 0 if the file system doesn't know. */
export function birthTime({ stats }: FoundFile): number {
  return stats.birthtimeMs;
}

export function isSameFile(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

async function find(path: string): Promise<FoundFile | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats && { path, stats };
}
