import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Fields } from '../event.ts';
import { ITEMS_PER_STEP, type SlicedWork, sortInSlices } from '../run/sliced-sort.ts';

const IS_ROW = -1;

interface TimedRow {
  /** A row, or the table that contains it. */
  readonly source: Fields | EventTable;
  /** Index in the table; `IS_ROW` if `source` is a row. */
  readonly index: number;
  readonly time: number;
}

/**
 * Keeps the oldest or the newest rows by `@timestamp`, in a stable order. A row without a time gets the time of the row
 * before it.
 *
 * Keeps at most twice `limit` rows. Rows in order of time, such as events, are never sorted.
 */
export class RowsByTime {
  readonly #limit: number;
  readonly #keeps: 'oldest' | 'newest';
  #entries: TimedRow[] = [];
  #isSorted = true;
  /** Number of rows kept so far, including discarded ones. */
  #held = 0;
  #latest = Number.NEGATIVE_INFINITY;
  /** With `limit` rows: the time that another row must beat. */
  #bound: number | undefined;

  constructor(keeps: 'oldest' | 'newest', limit: number) {
    this.#keeps = keeps;
    this.#limit = limit;
  }

  /** Adds events. `onHeld` receives each row that increases the number of rows in memory. */
  from(table: EventTable, onHeld: (row: Fields) => void): TakeEvent {
    return (index) => {
      const known = table.timeAt(index);
      const time = Number.isNaN(known) ? this.#latest : known;
      this.#latest = time;
      if (this.#isBeyondBound(time)) return;
      const entry = table.isStable
        ? { source: table, index, time }
        : { source: table.row(index), index: IS_ROW, time };
      if (this.#hold(entry)) onHeld(table.row(index));
    };
  }

  /** @returns true if more rows are in memory than ever before. */
  #hold(entry: TimedRow): boolean {
    const { time } = entry;
    const last = this.#entries.at(-1);
    if (last !== undefined && time < last.time) this.#isSorted = false;
    this.#entries.push(entry);
    const isFull = this.#bound === undefined && this.#entries.length >= this.#limit;
    if (isFull || this.#entries.length >= this.#limit * 2) this.#cut();
    this.#held += 1;
    return this.#held <= this.#limit * 2;
  }

  /** Oldest first. */
  *oldestFirst(): SlicedWork<Fields[]> {
    this.#cut();
    if (!this.#isSorted) this.#entries = yield* sortInSlices(this.#entries, (a, b) => a.time - b.time || 0);
    this.#isSorted = true;
    const rows: Fields[] = [];
    for (const [place, { source, index, time }] of this.#entries.entries()) {
      const row = index === IS_ROW ? (source as Fields) : (source as EventTable).row(index);
      this.#entries[place] = { source: row, index: IS_ROW, time };
      rows.push(row);
      if (rows.length % ITEMS_PER_STEP === 0) yield;
    }
    return rows;
  }

  #isBeyondBound(time: number): boolean {
    if (this.#bound === undefined) return false;
    return this.#keeps === 'oldest' ? time >= this.#bound : time < this.#bound;
  }

  /** Discards all but `limit` rows; of rows with the same time, the last ones are the newest. */
  #cut(): void {
    const surplus = this.#entries.length - this.#limit;
    if (surplus < 0) return;
    const isOldest = this.#keeps === 'oldest';
    const bound = this.#timeAt(isOldest ? this.#limit - 1 : surplus);
    const within = this.#entries.filter(({ time }) => (isOldest ? time < bound : time > bound));
    const ties = this.#entries.filter(({ time }) => time === bound);
    const room = this.#limit - within.length;
    this.#entries = isOldest ? [...within, ...ties.slice(0, room)] : [...ties.slice(-room), ...within];
    this.#bound = bound;
  }

  /** The time at an index of the sorted times. Sorting numbers is fast enough without slices. */
  #timeAt(place: number): number {
    if (this.#isSorted) return this.#entries[place]!.time;
    return Float64Array.from(this.#entries, ({ time }) => time).sort()[place]!;
  }
}
