import type { LookupTable } from '../query-library.ts';
import type { Preparation } from '../run/preparation.ts';
import { type SubQuery, subQueryTable } from './sub-query.ts';

export interface JoinTableOptions {
  readonly source: SubQuery;
  readonly key: readonly string[];
  /** `undefined` for all fields. */
  readonly include: readonly string[] | undefined;
  readonly maxRows: number;
}

/** The rows of a join's subquery as a table in which later rows take precedence. */
export function joinTable({ source, key, include, maxRows }: JoinTableOptions): Preparation {
  const columns = include && [...new Set([...key, ...include])];
  return {
    key: {},
    readsEvents: true,
    *compute(preparing) {
      const table = yield* subQueryTable(source, { columns, maxRows, owner: 'join' }, preparing);
      const rows = include === undefined ? table.rows : withEmptyCells(table, key);
      // Events are already sorted with the newest one last.
      return { headers: table.headers, rows: source.plan.isAggregate ? rows.toReversed() : rows };
    },
  };
}

/** Requested fields that a row lacks become empty strings; only the key is required. */
function withEmptyCells({ headers, rows }: LookupTable, key: readonly string[]): LookupTable['rows'] {
  const isKey = headers.map((name) => key.includes(name));
  return rows.map((row) => row.map((cell, index) => (isKey[index] ? cell : (cell ?? ''))));
}
