import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LOCK_NAME } from './liveness-lock.ts';
import { type Position, PositionFile } from './position-file.ts';

const SEGMENT_NAME = /^\d{8}\.log$/;
const POSITION_NAME = 'position';

/** A segment that was found on the disk. */
export interface FoundSegment {
  readonly number: number;
  /** Where what isn't settled begins. */
  readonly from: number;
  readonly bytes: number;
}

/** The folder of one owner, dead or alive: its segments, and how far they are settled. */
export class SpoolDirectory {
  readonly path: string;
  readonly #isAdopted: boolean;
  readonly #position: PositionFile;

  /** @param isAdopted whether its owner is dead, so that it ends with its last segment. */
  constructor(path: string, isAdopted: boolean) {
    this.path = path;
    this.#isAdopted = isAdopted;
    this.#position = new PositionFile(join(path, POSITION_NAME));
  }

  segmentPath(number: number): string {
    return join(this.path, `${String(number).padStart(8, '0')}.log`);
  }

  /**
   * What isn't settled, oldest first. What is settled and was left behind goes.
   *
   * @throws Error of the file system
   */
  findSegments(): FoundSegment[] {
    const position = this.#position.read();
    const found: FoundSegment[] = [];
    for (const number of segmentNumbers(this.path)) {
      const from = number === position.segment ? position.offset : 0;
      const bytes = statSync(this.segmentPath(number)).size;
      if (number < position.segment || from >= bytes) this.#remove(this.segmentPath(number));
      else found.push({ number, from, bytes });
    }
    return found;
  }

  /**
   * Whether something in it isn't settled. Changes nothing.
   *
   * @throws Error of the file system
   */
  get hasRecords(): boolean {
    const { segment, offset } = this.#position.read();
    const hasRest = (number: number): boolean =>
      number === segment && statSync(this.segmentPath(number)).size > offset;
    return segmentNumbers(this.path).some((number) => number > segment || hasRest(number));
  }

  /** Everything up to here is settled. Never throws. */
  settle(position: Position): void {
    this.#position.write(position);
  }

  /** The whole segment is settled, and those before it. Never throws. */
  retire(number: number): void {
    // First the position: if the file can't be removed, its records are still known to be settled.
    this.#position.write({ segment: number + 1, offset: 0 });
    this.#remove(this.segmentPath(number));
    if (this.#isAdopted) this.#closeIfDone();
  }

  /** Forgets the directory, and removes it unless something is left that somebody may want. Never throws. */
  close(): void {
    this.#position.close();
    try {
      const left = readdirSync(this.path).filter((name) => name !== POSITION_NAME && name !== LOCK_NAME);
      if (left.length > 0) return;
      for (const name of [POSITION_NAME, LOCK_NAME]) this.#remove(join(this.path, name));
      rmdirSync(this.path);
    } catch {
      // Somebody else was faster.
    }
  }

  #closeIfDone(): void {
    try {
      if (segmentNumbers(this.path).length === 0) this.close();
    } catch {
      this.close(); // Somebody removed it.
    }
  }

  #remove(path: string): void {
    try {
      rmSync(path, { force: true });
    } catch {
      // Nothing in it is needed any more. Who adopts the directory tries again.
    }
  }
}

/** @throws Error of the file system */
export function segmentNumbers(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => SEGMENT_NAME.test(name))
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b);
}
