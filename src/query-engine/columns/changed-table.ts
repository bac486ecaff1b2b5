import { copyFields, type Fields, setField } from '../event.ts';
import { parseNumber, toNumber } from '../value.ts';
import type { Column, EventTable } from './event-table.ts';

/** The events of a table with other columns in place of some, or besides them. */
export class ChangedTable implements EventTable {
  readonly length: number;
  readonly isStable: boolean;
  readonly stored: EventTable;
  readonly #before: EventTable;
  readonly #columns: ReadonlyMap<string, Column>;

  constructor(before: EventTable, columns: ReadonlyMap<string, Column>) {
    this.length = before.length;
    this.isStable = before.isStable;
    this.stored = before.stored;
    this.#before = before;
    this.#columns = columns;
  }

  column(name: string): Column {
    return this.#columns.get(name) ?? this.#before.column(name);
  }

  timeAt(index: number): number {
    const column = this.#columns.get('@timestamp');
    return column === undefined
      ? this.#before.timeAt(index)
      : (parseNumber(column.at(index) ?? '') ?? Number.NaN);
  }

  row(index: number): Fields {
    const row = copyFields(this.#before.row(index));
    for (const [name, column] of this.#columns) {
      const value = column.at(index);
      if (value === undefined) delete row[name];
      else setField(row, name, value);
    }
    return row;
  }

  isInText(): boolean {
    return false;
  }
}

/** A column of values that are computed when they are read. */
export function computedColumn(at: (index: number) => string | undefined): Column {
  return {
    at,
    numberReader: () => (index) => toNumber(at(index)) ?? Number.NaN,
    distinct: undefined,
  };
}

/** A field that no event has. */
export const missingColumn: Column = computedColumn(() => undefined);
