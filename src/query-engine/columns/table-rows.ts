import { type Fields, setField } from '../event.ts';
import type { Accumulator, Emit } from '../operators/operator.ts';
import type { Column, EventTable, TakeEvent } from './event-table.ts';

/** Makes a row of each event, with no more fields than are looked at. */
export function takeRows(table: EventTable, reads: readonly string[] | undefined, push: Emit): TakeEvent {
  if (reads === undefined) {
    const { stored } = table;
    return (index) => {
      const row = table.row(index);
      push(row, stored === table ? row : stored.row(index));
    };
  }
  const rowAt = rowReader(
    reads,
    reads.map((name) => table.column(name)),
  );
  return (index) => {
    const row = rowAt(index);
    push(row, row);
  };
}

/** Makes rows of some fields. */
export function rowReader(names: readonly string[], columns: readonly Column[]): (index: number) => Fields {
  const fields = columns.map((column, place) => ({ name: names[place]!, column }));
  return (index) => {
    const row: Fields = {};
    for (const { name, column } of fields) {
      const value = column.at(index);
      if (value !== undefined) setField(row, name, value);
    }
    return row;
  };
}

/** What takes the events of a table for an aggregate, as it can: from columns, or as rows. */
export function takeFor(
  accumulator: Accumulator,
  table: EventTable,
  reads: readonly string[] | undefined,
): TakeEvent {
  if (accumulator.from === undefined) {
    return takeRows(table, reads, (row, stored) => accumulator.push(row, stored));
  }
  return accumulator.from(table) ?? (() => {});
}
