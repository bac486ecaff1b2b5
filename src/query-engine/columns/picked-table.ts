import { type Fields, setField } from '../event.ts';
import { missingColumn } from './changed-table.ts';
import type { Column, EventTable } from './event-table.ts';

/** The events of a table with only some of their fields. */
export class PickedTable implements EventTable {
  readonly length: number;
  readonly isStable: boolean;
  readonly stored: EventTable;
  readonly #before: EventTable;
  readonly #columns: ReadonlyMap<string, Column>;

  constructor(before: EventTable, names: readonly string[]) {
    this.length = before.length;
    this.isStable = before.isStable;
    this.stored = before.stored;
    this.#before = before;
    this.#columns = new Map(names.map((name) => [name, before.column(name)]));
  }

  column(name: string): Column {
    return this.#columns.get(name) ?? missingColumn;
  }

  timeAt(index: number): number {
    return this.#columns.has('@timestamp') ? this.#before.timeAt(index) : Number.NaN;
  }

  row(index: number): Fields {
    const row: Fields = {};
    for (const [name, column] of this.#columns) {
      const value = column.at(index);
      if (value !== undefined) setField(row, name, value);
    }
    return row;
  }

  isInText(): boolean {
    return false;
  }
}
