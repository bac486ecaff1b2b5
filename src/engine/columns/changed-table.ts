import { addFields, copyFields, type Fields, readField, setField } from '../event.ts';
import { parseNumber } from '../value.ts';
import { computedValues } from './computed.ts';
import type { Column, EventTable } from './event-table.ts';

/** The output of a step for the events of a table. Indices stay the same. */
export abstract class DerivedTable implements EventTable {
  readonly length: number;
  readonly isStable: boolean;
  readonly stored: EventTable;

  constructor({ length, isStable, stored }: EventTable) {
    this.length = length;
    this.isStable = isStable;
    this.stored = stored;
  }

  abstract column(name: string): Column;
  abstract timeAt(index: number): number;
  abstract row(index: number): Fields;
}

/** The events of a table with some columns replaced or added. */
export class ChangedTable extends DerivedTable {
  /** The source of unchanged columns and fields; `undefined` if there are none. */
  readonly #others: EventTable | undefined;
  readonly #columns: ReadonlyMap<string, Column>;

  constructor(before: EventTable, columns: ReadonlyMap<string, Column>, keepsOthers = true) {
    super(before);
    // Merges consecutive changes, so each row is copied once.
    const isChange = before instanceof ChangedTable && keepsOthers;
    this.#others = isChange ? before.#others : keepsOthers ? before : undefined;
    this.#columns = isChange ? new Map([...before.#columns, ...columns]) : columns;
  }

  /** The events of a table with only some of their fields. */
  static picked(before: EventTable, names: readonly string[]): ChangedTable {
    return new ChangedTable(before, new Map(names.map((name) => [name, before.column(name)])), false);
  }

  column(name: string): Column {
    return this.#columns.get(name) ?? this.#others?.column(name) ?? missingColumn;
  }

  timeAt(index: number): number {
    const column = this.#columns.get('@timestamp');
    if (column !== undefined) return parseNumber(column.at(index) ?? '') ?? Number.NaN;
    return this.#others?.timeAt(index) ?? Number.NaN;
  }

  row(index: number): Fields {
    const row = this.#others === undefined ? {} : copyFields(this.#others.row(index));
    for (const [name, column] of this.#columns) {
      const value = column.at(index);
      if (value !== undefined) setField(row, name, value);
      else if (this.#others !== undefined) delete row[name];
    }
    return row;
  }
}

/** The events of a table with additional fields per event, such as those extracted from a string. */
export class AddedTable extends DerivedTable {
  readonly #before: EventTable;
  readonly #addedAt: (index: number) => Fields;
  readonly #replaces: boolean;

  /** @param replaces whether the fields replace others of the same name. */
  constructor(before: EventTable, addedAt: (index: number) => Fields, replaces: boolean) {
    super(before);
    this.#before = before;
    this.#addedAt = addedAt;
    this.#replaces = replaces;
  }

  column(name: string): Column {
    const before = this.#before.column(name);
    const addedAt = (index: number): string | undefined => readField(this.#addedAt(index), name);
    return computedValues(
      this.#replaces
        ? (index) => addedAt(index) ?? before.at(index)
        : (index) => before.at(index) ?? addedAt(index),
    );
  }

  timeAt(index: number): number {
    if (readField(this.#addedAt(index), '@timestamp') === undefined) return this.#before.timeAt(index);
    return parseNumber(this.column('@timestamp').at(index) ?? '') ?? Number.NaN;
  }

  row(index: number): Fields {
    const [row, added] = [this.#before.row(index), this.#addedAt(index)];
    return this.#replaces ? addFields(copyFields(row), added) : addFields(copyFields(added), row);
  }
}

export const missingColumn: Column = {
  ...computedValues(() => undefined),
  distinct: { count: 1, idAt: () => 0, values: [undefined] },
};
