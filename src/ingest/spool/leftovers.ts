import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isLocked } from './liveness-lock.ts';
import { SpoolDirectory, segmentNumbers } from './spool-directory.ts';

/** A directory without records may be one that is being made. After this time it isn't. */
const YOUNG_MS = 60_000;

/**
 * Takes over the directories of dead owners, one at a time, by moving them into the directory of the new owner. Of
 * several that want one, the first gets it.
 *
 * @param folder holds the directories of all owners with one destination.
 * @param into the directory of the new owner.
 */
export async function* claimLeftovers(folder: string, into: string): AsyncGenerator<SpoolDirectory[]> {
  for (const name of foldersIn(folder)) {
    const path = join(folder, name);
    // Looked at before the lock: an owner has one before its first record, so that nobody who only just begins looks dead.
    const isUsed = hasSegments(path);
    if (name === basename(into) || (await isLocked(path))) continue;
    if (isUsed) {
      const claimed = claim(path, into);
      if (claimed.length > 0) yield claimed;
    } else if (isOld(path) && !hasSegments(path)) new SpoolDirectory(path, true).close();
  }
}

/** Whether a folder holds what a dead owner didn't deliver. */
export async function hasLeftovers(folder: string): Promise<boolean> {
  for (const name of foldersIn(folder)) {
    const path = join(folder, name);
    if (hasRecords(path) && !(await isLocked(path))) return true;
  }
  return false;
}

/** The names of the folders, oldest first as far as they tell. */
export function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch {
    return []; // Not there, or not ours.
  }
}

function claim(path: string, into: string): SpoolDirectory[] {
  const target = join(into, basename(path));
  if (!isMoved(path, target)) return [];
  // What the dead owner had adopted itself is older.
  const nested = foldersIn(target).filter((name) => isMoved(join(target, name), join(into, name)));
  return [...nested.map((name) => join(into, name)), target].map(
    (claimed) => new SpoolDirectory(claimed, true),
  );
}

function isMoved(from: string, to: string): boolean {
  try {
    // On some systems a folder replaces an empty one.
    if (existsSync(to)) return false;
    renameSync(from, to);
    return true;
  } catch {
    return false; // Somebody else was faster, or it isn't ours.
  }
}

function hasSegments(path: string): boolean {
  return isTrueOfAny(path, (folder) => segmentNumbers(folder).length > 0);
}

function hasRecords(path: string): boolean {
  return isTrueOfAny(path, (folder) => new SpoolDirectory(folder, true).hasRecords);
}

/** Of the directory itself, or of one that its owner had adopted. */
function isTrueOfAny(path: string, test: (folder: string) => boolean): boolean {
  try {
    return test(path) || foldersIn(path).some((name) => isTrueOfAny(join(path, name), test));
  } catch {
    return false;
  }
}

function isOld(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > YOUNG_MS;
  } catch {
    return false;
  }
}
