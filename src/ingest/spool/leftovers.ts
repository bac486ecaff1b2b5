import { basename, join } from 'node:path';
import type { Disk } from '../../core/disk.ts';
import { tryOr } from '../../core/try-or.ts';
import { type FoundSegment, SpoolDirectory, segmentNumbers } from './spool-directory.ts';

/** A directory without records may be new. After this time, it is abandoned. */
const YOUNG_MS = 60_000;

export interface Claiming {
  readonly disk: Disk;
  /** Contains the directories of all owners with this destination. */
  readonly folder: string;
  /** Directory of the new owner. */
  readonly into: string;
  /** Called with directories that can't be moved. */
  readonly onStuck: (path: string, error: Error) => void;
}

/**
 * Claims the directories of dead owners, one at a time, by moving them into the directory of the new owner. If several
 * processes claim a directory, the first one gets it.
 */
export async function* claimLeftovers(claiming: Claiming, nowMs: number): AsyncGenerator<SpoolDirectory[]> {
  const { disk, folder, into } = claiming;
  // What an earlier claim could not move.
  for (const name of foldersIn(disk, into)) yield claimNested(join(into, name), claiming);
  for (const name of foldersIn(disk, folder)) {
    const path = join(folder, name);
    // Checked before the lock: an owner locks its directory before it writes records, so a new owner never looks dead.
    const isUsed = hasSegments(disk, path);
    if (name === basename(into) || (await disk.isLocked(path))) continue;
    if (isUsed) yield claim(path, claiming);
    else {
      const isOld = tryOr(false, () => nowMs - disk.stat(path).mtimeMs > YOUNG_MS);
      if (isOld && !hasSegments(disk, path)) removeEmpty(disk, path);
    }
  }
}

/** Segments in a folder with undelivered records of dead owners. */
export async function findLeftovers(disk: Disk, folder: string): Promise<FoundSegment[]> {
  const leftovers: FoundSegment[] = [];
  for (const name of foldersIn(disk, folder)) {
    const path = join(folder, name);
    const segments = segmentsIn(disk, path);
    if (segments.length > 0 && !(await disk.isLocked(path))) leftovers.push(...segments);
  }
  return leftovers;
}

/** Segments in a directory and those that its owner had adopted. */
export function segmentsIn(disk: Disk, path: string): FoundSegment[] {
  const nested = foldersIn(disk, path).flatMap((name) => segmentsIn(disk, join(path, name)));
  return [...nested, ...tryOr([], () => new SpoolDirectory(disk, path, true).findSegments(false))];
}

/** Names of the subfolders, sorted; owner directories sort by age. None if the folder is missing or not accessible. */
export function foldersIn(disk: Disk, folder: string): string[] {
  const entries = tryOr([], () => disk.list(folder));
  const folders = entries.filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).sort();
}

/** Moves a directory, and those in it, into another one. @returns them, oldest first. */
function claim(path: string, claiming: Claiming): SpoolDirectory[] {
  const { disk, into } = claiming;
  const target = join(into, basename(path));
  if (!isMoved(path, target, claiming)) return [];
  // Directories that the dead owner had adopted are older.
  return [...claimNested(target, claiming), new SpoolDirectory(disk, target, true)];
}

/** Moves the directories that the owner of a directory had adopted. They contain others if it was killed between two moves. */
function claimNested(path: string, claiming: Claiming): SpoolDirectory[] {
  return foldersIn(claiming.disk, path).flatMap((name) => claim(join(path, name), claiming));
}

/** False if another process was faster, or the folder can't be moved. */
function isMoved(from: string, to: string, { disk, onStuck }: Claiming): boolean {
  // On some systems, renaming replaces an empty folder.
  if (tryOr(undefined, () => disk.stat(to)) !== undefined) return false;
  try {
    disk.rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onStuck(from, error as Error);
    return false;
  }
}

/** Removes a directory without segments, and those in it. */
function removeEmpty(disk: Disk, path: string): void {
  for (const name of foldersIn(disk, path)) removeEmpty(disk, join(path, name));
  new SpoolDirectory(disk, path, true).close();
}

/** Tests the directory and those that its owner had adopted. */
function hasSegments(disk: Disk, path: string): boolean {
  const hasOwn = tryOr(false, () => segmentNumbers(disk, path).length > 0);
  return hasOwn || foldersIn(disk, path).some((name) => hasSegments(disk, join(path, name)));
}
