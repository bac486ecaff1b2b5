import { basename, join } from 'node:path';
import type { Disk } from '../../core/disk.ts';
import { tryOr } from '../../core/try-or.ts';
import { type FoundSegment, SpoolDirectory, segmentNumbers } from './spool-directory.ts';

/** A directory without records may be new. After this time, it is abandoned. */
const YOUNG_MS = 60_000;

/**
 * Claims the directories of dead owners, one at a time, by moving them into the directory of the new owner. If several
 * processes claim a directory, the first one gets it.
 *
 * @param folder contains the directories of all owners with this destination.
 * @param into directory of the new owner.
 */
export async function* claimLeftovers(
  disk: Disk,
  folder: string,
  into: string,
  nowMs: number,
): AsyncGenerator<SpoolDirectory[]> {
  // What an earlier claim could not move.
  for (const name of foldersIn(disk, into)) yield claimNested(disk, join(into, name), into);
  for (const name of foldersIn(disk, folder)) {
    const path = join(folder, name);
    // Checked before the lock: an owner locks its directory before it writes records, so a new owner never looks dead.
    const isUsed = hasSegments(disk, path);
    if (name === basename(into) || (await disk.isLocked(path))) continue;
    if (isUsed) yield claim(disk, path, into);
    else if (isOld(disk, path, nowMs) && !hasSegments(disk, path)) removeEmpty(disk, path);
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
function segmentsIn(disk: Disk, path: string): FoundSegment[] {
  const nested = foldersIn(disk, path).flatMap((name) => segmentsIn(disk, join(path, name)));
  return [...nested, ...tryOr([], () => new SpoolDirectory(disk, path, true).unsettledSegments())];
}

/** Names of the subfolders, sorted; owner directories sort by age. None if the folder is missing or not accessible. */
export function foldersIn(disk: Disk, folder: string): string[] {
  const entries = tryOr([], () => disk.list(folder));
  const folders = entries.filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).sort();
}

/** Moves a directory, and those in it, into another one. @returns them, oldest first. */
function claim(disk: Disk, path: string, into: string): SpoolDirectory[] {
  const target = join(into, basename(path));
  if (!isMoved(disk, path, target)) return [];
  // Directories that the dead owner had adopted are older.
  return [...claimNested(disk, target, into), new SpoolDirectory(disk, target, true)];
}

/** Moves the directories that the owner of a directory had adopted. They contain others if it was killed between two moves. */
function claimNested(disk: Disk, path: string, into: string): SpoolDirectory[] {
  return foldersIn(disk, path).flatMap((name) => claim(disk, join(path, name), into));
}

/** False if another process was faster, or the folder is not accessible. */
function isMoved(disk: Disk, from: string, to: string): boolean {
  // On some systems, renaming replaces an empty folder.
  const isFree = tryOr(true, () => disk.stat(to) === undefined);
  return isFree && tryOr(false, () => disk.rename(from, to) === undefined);
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

function isOld(disk: Disk, path: string, nowMs: number): boolean {
  return tryOr(false, () => nowMs - disk.stat(path).mtimeMs > YOUNG_MS);
}
