import type { IngestRecord } from '../record/record.ts';
import type { Cursor } from './segment-queue.ts';

/** A group of records that were taken together. */
export interface Mark {
  /** Number of the first record after them. */
  readonly number: number;
  /** Read position after them; `undefined` if no records were on disk. */
  readonly cursor: Cursor | undefined;
  readonly eventBytes: number;
  /** The records, if they are not on disk. */
  readonly inMemory: readonly IngestRecord[];
}

/** Tracks records that were taken but are not settled. */
export class Settlement {
  readonly #marks: Mark[] = [];
  #eventBytes = 0;

  /** Total size of their events, in bytes. */
  get eventBytes(): number {
    return this.#eventBytes;
  }

  get isComplete(): boolean {
    return this.#marks.length === 0;
  }

  /** Records that are not on disk. */
  get inMemory(): IngestRecord[] {
    return this.#marks.flatMap((mark) => mark.inMemory);
  }

  taken(mark: Mark): void {
    this.#eventBytes += mark.eventBytes;
    this.#marks.push(mark);
  }

  /** Settles all records with smaller numbers. @returns the new position on disk, if it has advanced. */
  settle(beforeNumber: number): Cursor | undefined {
    let cursor: Cursor | undefined;
    while (this.#marks[0] !== undefined && this.#marks[0].number <= beforeNumber) {
      const mark = this.#marks.shift()!;
      this.#eventBytes -= mark.eventBytes;
      cursor = mark.cursor ?? cursor;
    }
    return cursor;
  }
}
