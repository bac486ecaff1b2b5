import type { Extraction } from '../operators/operator.ts';
import { limitedText } from '../text/text-limit.ts';
import { toNumber } from '../value.ts';
import { ChangedTable } from './changed-table.ts';
import type { Column, EventTable } from './event-table.ts';
import { keptForLast } from './once-for-values.ts';
import type { RewrittenEvents } from './rewritten-table.ts';

/** Searches a field that nearly each event has a value of its own in: the groups of its match become columns. */
export function matched(table: EventTable, { field, regex }: Extraction): RewrittenEvents {
  const column = table.column(field);
  const matchAt = keptForLast((index) => {
    const text = column.at(index);
    return text === undefined ? null : regex.exec(text);
  });
  const columns = new Map<string, Column>();
  for (const { name, index: group } of regex.groups) {
    // Of several groups of one name, the last that took part counts.
    const before = columns.get(name) ?? table.column(name);
    columns.set(name, new GroupColumn(before, (index) => matchAt(index)?.[group]));
  }
  return { test: (index) => matchAt(index) !== null, table: new ChangedTable(table, columns) };
}

/** What a group has found, where it took part in the match. */
class GroupColumn implements Column {
  readonly distinct = undefined;
  readonly #before: Column;
  readonly #foundAt: (index: number) => string | undefined;

  constructor(before: Column, foundAt: (index: number) => string | undefined) {
    this.#before = before;
    this.#foundAt = foundAt;
  }

  at(index: number): string | undefined {
    const found = this.#foundAt(index);
    return found === undefined ? this.#before.at(index) : limitedText(found);
  }

  numberReader(): (index: number) => number {
    return (index) => toNumber(this.at(index)) ?? Number.NaN;
  }
}
