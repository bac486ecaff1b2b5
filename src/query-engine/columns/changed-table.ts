import { copyFields, type Fields, setField } from '../event.ts';
import type { Column, EventTable } from './event-table.ts';

/** The events of a table with other columns in place of some, or besides them. */
export class ChangedTable implements EventTable {
  readonly length: number;
  readonly stored: EventTable;
  readonly #before: EventTable;
  readonly #columns: ReadonlyMap<string, Column>;

  constructor(before: EventTable, columns: ReadonlyMap<string, Column>) {
    this.length = before.length;
    this.stored = before.stored;
    this.#before = before;
    this.#columns = columns;
  }

  column(name: string): Column {
    return this.#columns.get(name) ?? this.#before.column(name);
  }

  timeAt(index: number): number {
    return this.#before.timeAt(index);
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

  isInText(index: number): boolean {
    return this.#before.isInText(index);
  }
}
