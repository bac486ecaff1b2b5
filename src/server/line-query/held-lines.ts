import { LogException } from '../../core/errors.ts';
import { type EventSource, type Fields, type Sink, takeAll } from '../../engine/index.ts';
import { weightOf } from '../store/stored-event.ts';
import type { LineTable } from './line-table.ts';

/** Approximate size of a row without its text. */
const ROW_OVERHEAD_BYTES = 200;

/** The lines of a table that a query can read. */
export interface TimedLines {
  readonly table: LineTable;
  readonly indexes: readonly number[];
  /** Epoch milliseconds per index. */
  readonly times: readonly number[];
}

/** All lines of an input, for a query that needs all of them at once. They stay text unless they are not in order of time. */
export class HeldLines implements EventSource {
  readonly #maxBytes: number;
  readonly #why: string;
  readonly #lines: TimedLines[] = [];
  #bytes = 0;
  #last = Number.NEGATIVE_INFINITY;
  #isInOrder = true;

  /** @param why what needs them, for the error if they are too large. */
  constructor(maxBytes: number, why: string) {
    this.#maxBytes = maxBytes;
    this.#why = why;
  }

  /** @throws LogException with the code `LOG_TOO_LARGE` */
  add(lines: TimedLines): void {
    if (lines.indexes.length === 0) return;
    this.#bytes += lines.table.bytes;
    this.#check(this.#bytes);
    this.#lines.push(lines);
    for (const time of lines.times) {
      if (time < this.#last) this.#isInOrder = false;
      this.#last = time;
    }
  }

  *read({ start, end }: { start: number; end: number }, sink: Sink): Generator<void> {
    if (!this.#isInOrder) {
      yield* takeAll(this.#sortedRows(start, end), sink);
      return;
    }
    for (const { table, indexes, times } of this.#lines) {
      const take = sink.from(table);
      if (take === undefined) continue;
      for (const [place, index] of indexes.entries()) {
        if (times[place]! >= start && times[place]! <= end) take(index);
      }
      yield;
    }
  }

  /** Sorted by time; the sort is stable. */
  #sortedRows(start: number, end: number): readonly Fields[] {
    const rows: { time: number; row: Fields }[] = [];
    for (const { table, indexes, times } of this.#lines) {
      for (const [place, index] of indexes.entries()) {
        const time = times[place]!;
        if (time >= start && time <= end) rows.push({ time, row: table.row(index) });
      }
    }
    const bytes = rows.reduce((sum, { row }) => sum + weightOf(row) + ROW_OVERHEAD_BYTES, 0);
    this.#check(bytes);
    return rows.sort((left, right) => left.time - right.time).map(({ row }) => row);
  }

  #check(bytes: number): void {
    if (bytes <= this.#maxBytes) return;
    throw new LogException(
      `${this.#why}, so all events must be kept in memory, and they exceed ${Math.round(this.#maxBytes / 1024 / 1024)} MiB.`,
      'LOG_TOO_LARGE',
    );
  }
}
