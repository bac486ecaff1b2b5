import { join } from 'node:path';
import type { Disk } from '../../core/disk.ts';
import { LOCK_NAME } from '../../core/liveness-lock.ts';
import { tryOr } from '../../core/try-or.ts';
import { type Position, PositionFile } from './position-file.ts';

const SEGMENT_NAME = /^\d{8}\.log$/;
const POSITION_NAME = 'position';

export interface FoundSegment {
  readonly directory: SpoolDirectory;
  readonly number: number;
  /** Start of the unsettled lines. */
  readonly from: number;
  readonly bytes: number;
}

/** Directory of one owner, dead or alive: its segments, and the position up to which they are settled. */
export class SpoolDirectory {
  readonly disk: Disk;
  readonly path: string;
  readonly #isAdopted: boolean;
  readonly #position: PositionFile;

  /** @param isAdopted true if its owner is dead. The directory is then removed with its last segment. */
  constructor(disk: Disk, path: string, isAdopted: boolean) {
    this.disk = disk;
    this.path = path;
    this.#isAdopted = isAdopted;
    this.#position = new PositionFile(disk, join(path, POSITION_NAME));
  }

  segmentPath(number: number): string {
    return join(this.path, `${String(number).padStart(8, '0')}.log`);
  }

  /** Finds unsettled segments, oldest first. @param isOwner removes settled ones @throws Error of the file system */
  findSegments(isOwner: boolean): FoundSegment[] {
    const position = this.#position.read();
    const segments: FoundSegment[] = [];
    for (const number of segmentNumbers(this.disk, this.path)) {
      const from = number === position.segment ? position.offset : 0;
      const bytes = this.disk.stat(this.segmentPath(number)).size;
      const isSettled = number < position.segment || from >= bytes;
      if (!isSettled) segments.push({ directory: this, number, from, bytes });
      else if (isOwner) this.remove(number);
    }
    return segments;
  }

  /** Settles everything before a position. Never throws. */
  settle(position: Position): void {
    this.#position.write(position);
  }

  /** Settles a whole segment and those before it. Never throws. */
  retire(number: number): void {
    // Position first: if the file can't be removed, its records still count as settled.
    this.#position.write({ segment: number + 1, offset: 0 });
    this.remove(number);
    if (!this.#isAdopted) return;
    this.#position.close(); // This may be its last segment here, if others can't be removed.
    // An error means that the directory was removed.
    if (tryOr(true, () => segmentNumbers(this.disk, this.path).length === 0)) this.close();
  }

  /** Removes a segment whose records were dropped. Never throws. */
  remove(number: number): void {
    this.#remove(this.segmentPath(number));
  }

  /** Closes the directory, and removes it unless it contains other files. Never throws. */
  close(): void {
    this.#position.close();
    const names = tryOr([], () => this.disk.list(this.path).map(({ name }) => name));
    if (names.some((name) => name !== POSITION_NAME && name !== LOCK_NAME)) return;
    for (const name of names) this.#remove(join(this.path, name));
    tryOr(undefined, () => this.disk.removeFolder(this.path)); // Fails if another process was faster.
  }

  /** If it fails, the next owner tries again. */
  #remove(path: string): void {
    tryOr(undefined, () => this.disk.remove(path));
  }
}

/** @throws Error of the file system */
export function segmentNumbers(disk: Disk, folder: string): number[] {
  return disk
    .list(folder)
    .filter(({ name }) => SEGMENT_NAME.test(name))
    .map(({ name }) => Number.parseInt(name, 10))
    .sort((a, b) => a - b);
}
