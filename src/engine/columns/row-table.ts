import { type Fields, readField, readNumber } from '../event.ts';
import { computedValues, memoizeLast } from './computed.ts';
import type { Column, EventTable, Sink, TakeEvent } from './event-table.ts';

/** Rows as a table: an array, or a stream of rows of which only the current one is readable. */
export class RowTable implements EventTable {
  readonly length: number;
  readonly isStable: boolean;
  readonly stored: EventTable;
  readonly #rowAt: (index: number) => Fields;

  private constructor(rowAt: (index: number) => Fields, length: number | undefined, stored?: EventTable) {
    this.#rowAt = rowAt;
    this.length = length ?? 1;
    this.isStable = length !== undefined;
    this.stored = stored ?? this;
  }

  static of(rows: readonly Fields[]): RowTable {
    return new RowTable((index) => rows[index]!, rows.length);
  }

  /** Rows of a stream. Take each with a new index, because results are cached by index. */
  static passing(current: (index: number) => Fields, stored?: EventTable): RowTable {
    return new RowTable(current, undefined, stored);
  }

  /** The rows of another table, each created once for all readers. */
  static rowsOf(table: EventTable): RowTable {
    const rowAt = memoizeLast((index) => table.row(index));
    return new RowTable(rowAt, table.isStable ? table.length : undefined, table.stored);
  }

  column(name: string): Column {
    return computedValues((index) => readField(this.#rowAt(index), name));
  }

  timeAt(index: number): number {
    return readNumber(this.#rowAt(index), '@timestamp') ?? Number.NaN;
  }

  row(index: number): Fields {
    return this.#rowAt(index);
  }
}

/** Feeds rows one at a time to a sink, which is opened with the first row. */
export function rowInput(sink: Sink): (row: Fields) => void {
  let current: Fields = {};
  let count = 0;
  let take: TakeEvent | undefined;
  return (row) => {
    current = row;
    if (count === 0) take = sink.from(RowTable.passing(() => current));
    take?.(count++);
  };
}

/** A sink that passes each event on as a row. */
export function rowSink(push: (row: Fields) => void): Sink {
  return { from: (table) => (index) => push(table.row(index)) };
}
