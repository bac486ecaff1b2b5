import type { IngestRecord } from '../record/record.ts';
import type { Cursor } from './segment-queue.ts';

/** The end of some records that were taken. */
export interface Mark {
  /** The number of the first record after them. */
  readonly number: number;
  /** How far the disk had been read; `undefined` when nothing is on it. */
  readonly cursor: Cursor | undefined;
  readonly eventBytes: number;
  /** The records, when they are nowhere on the disk. */
  readonly inMemory: readonly IngestRecord[];
  /** Nobody will ever settle a part of this mark and of its neighbor that has the same set. */
  readonly isDrop: boolean;
}

/** Records that were taken and aren't settled. */
export class Settlement {
  #marks: Mark[] = [];
  #eventBytes = 0;

  /** The bytes of the events. */
  get eventBytes(): number {
    return this.#eventBytes;
  }

  get isComplete(): boolean {
    return this.#marks.length === 0;
  }

  /** The records that are nowhere on the disk. */
  get inMemory(): IngestRecord[] {
    return this.#marks.flatMap((mark) => mark.inMemory);
  }

  taken(mark: Mark): void {
    this.#eventBytes += mark.eventBytes;
    const last = this.#marks.at(-1);
    if (last?.isDrop && mark.isDrop) {
      this.#marks[this.#marks.length - 1] = {
        ...mark,
        eventBytes: last.eventBytes + mark.eventBytes,
      };
    } else this.#marks.push(mark);
  }

  /** All records with smaller numbers are settled. @returns how far that is on the disk, when it is further than before. */
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
