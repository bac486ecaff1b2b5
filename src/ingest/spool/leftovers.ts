import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tryOr } from '../../core/try-or.ts';
import { isLocked } from './liveness-lock.ts';
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
export async function* claimLeftovers(folder: string, into: string): AsyncGenerator<SpoolDirectory[]> {
  for (const name of foldersIn(folder)) {
    const path = join(folder, name);
    // Checked before the lock: an owner locks its directory before it writes records, so a new owner never looks dead.
    const isUsed = hasSegments(path);
    if (name === basename(into) || (await isLocked(path))) continue;
    if (isUsed) {
      const claimed = claim(path, into);
      if (claimed.length > 0) yield claimed;
    } else if (isOld(path) && !hasSegments(path)) new SpoolDirectory(path, true).close();
  }
}

/** Segments in a folder with undelivered records of dead owners. */
export async function findLeftovers(folder: string): Promise<FoundSegment[]> {
  const leftovers: FoundSegment[] = [];
  for (const name of foldersIn(folder)) {
    const path = join(folder, name);
    const segments = segmentsIn(path);
    if (segments.length > 0 && !(await isLocked(path))) leftovers.push(...segments);
  }
  return leftovers;
}

/** Segments in a directory and those that its owner had adopted. */
function segmentsIn(path: string): FoundSegment[] {
  const nested = foldersIn(path).flatMap((name) => segmentsIn(join(path, name)));
  return [...nested, ...tryOr([], () => new SpoolDirectory(path, true).unsettledSegments())];
}

/** Names of the subfolders, sorted; owner directories sort by age. None if the folder is missing or not accessible. */
export function foldersIn(folder: string): string[] {
  const entries = tryOr([], () => readdirSync(folder, { withFileTypes: true }));
  const folders = entries.filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).sort();
}

/** Moves a directory, and those in it, into another one. @returns them, oldest first. */
function claim(path: string, into: string): SpoolDirectory[] {
  const target = join(into, basename(path));
  if (!isMoved(path, target)) return [];
  // Directories that the dead owner had adopted are older. They contain others if it was killed between two moves.
  const nested = foldersIn(target).flatMap((name) => claim(join(target, name), into));
  return [...nested, new SpoolDirectory(target, true)];
}

/** False if another process was faster, or the folder is not accessible. */
function isMoved(from: string, to: string): boolean {
  // On some systems, renaming replaces an empty folder.
  return !existsSync(to) && tryOr(false, () => renameSync(from, to) === undefined);
}

/** Tests the directory and those that its owner had adopted. */
function hasSegments(path: string): boolean {
  const hasOwn = tryOr(false, () => segmentNumbers(path).length > 0);
  return hasOwn || foldersIn(path).some((name) => hasSegments(join(path, name)));
}

function isOld(path: string): boolean {
  return tryOr(false, () => Date.now() - statSync(path).mtimeMs > YOUNG_MS);
}
