import { type Fields, setField } from '../event.ts';
import type { Accumulator, Emit } from '../operators/operator.ts';
import type { EventTable, TakeEvent } from './event-table.ts';

/** Makes a row of each event, with no more fields than are looked at. */
export function takeRows(table: EventTable, reads: readonly string[] | undefined, push: Emit): TakeEvent {
  if (reads === undefined) {
    return (index) => {
      const row = table.row(index);
      push(row, row);
    };
  }
  const columns = reads.map((name) => ({ name, column: table.column(name) }));
  return (index) => {
    const row: Fields = {};
    for (const { name, column } of columns) {
      const value = column.at(index);
      if (value !== undefined) setField(row, name, value);
    }
    push(row, row);
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
