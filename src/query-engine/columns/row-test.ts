import type { Predicate } from '../compiler/scope.ts';
import { type ColumnTest, withColumns } from './column-test.ts';
import { computedOfFields } from './once-for-values.ts';

/** How a filter looks at columns; `undefined` where it needs whole events. */
export function columnsOf(test: Predicate): ColumnTest | undefined {
  const { inTable, reads } = test;
  if (inTable !== undefined) return { inTable, reads };
  if (reads === undefined) return undefined;
  return {
    reads,
    inTable: (table, run) => computedOfFields(table, reads, (row) => test(row, row, run)).at,
  };
}

/** Tells a filter that is only known by its rows how to look at columns, where the fields that it reads are known. */
export function inColumns(test: Predicate): Predicate {
  const columns = columnsOf(test);
  return columns === undefined ? test : withColumns((row, stored, run) => test(row, stored, run), columns);
}
