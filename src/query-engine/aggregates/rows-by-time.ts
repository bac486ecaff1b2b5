import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Fields } from '../event.ts';
import { ITEMS_PER_STEP, type SlicedWork, sortInSlices } from '../run/sliced-sort.ts';

const IS_ROW = -1;

interface TimedRow {
  /** A row, or the table that it is in. */
  readonly source: Fields | EventTable;
  /** Where the row is in the table; `IS_ROW` when it is there already. */
  readonly index: number;
  readonly time: number;
}

/**
 * Keeps the oldest or the newest rows by `@timestamp`. Rows of the same time stay in the order in which they came; a
 * row without a time counts as being of the time of the row before it.
 *
 * It holds at most twice `limit` rows. Rows that come in order of time, as events do, are never sorted.
 */
export class RowsByTime {
  readonly #limit: number;
  readonly #keeps: 'oldest' | 'newest';
  #entries: TimedRow[] = [];
  #isSorted = true;
  /** How many rows were held, the ones let go included. */
  #held = 0;
  #latest = Number.NEGATIVE_INFINITY;
  /** Once there are `limit` rows: the time that a further one has to beat. */
  #bound: number | undefined;

  constructor(keeps: 'oldest' | 'newest', limit: number) {
    this.#keeps = keeps;
    this.#limit = limit;
  }

  /** Takes the events of a table; `onHeld` gets the rows of which it holds more than ever before. */
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

  /** @returns whether it holds more rows now than ever before. */
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

  /** The oldest first. */
  *oldestFirst(): SlicedWork<Fields[]> {
    this.#cut();
    if (!this.#isSorted) this.#entries = yield* sortInSlices(this.#entries, byTime);
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

  /** Lets go of all rows but `limit`; of rows of the same time, those that came last are the newest. */
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

  /** The time at a place in the order of time. Numbers alone are sorted fast: this can't be done in slices. */
  #timeAt(place: number): number {
    if (this.#isSorted) return this.#entries[place]!.time;
    return Float64Array.from(this.#entries, ({ time }) => time).sort()[place]!;
  }
}

function byTime(a: TimedRow, b: TimedRow): number {
  return a.time - b.time || 0;
}
