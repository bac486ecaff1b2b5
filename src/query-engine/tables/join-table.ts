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

/** The rows of a join's query as a table in which the last row is the one that counts most. */
export function joinTable({ source, key, include, maxRows }: JoinTableOptions): Preparation {
  const columns = include && [...new Set([...key, ...include])];
  return {
    key: {},
    readsEvents: true,
    *compute(preparing) {
      const table = yield* subQueryTable(source, { columns, maxRows, owner: 'join' }, preparing);
      const rows = include === undefined ? table.rows : withEmptyCells(table, key);
      // Events come with the newest one last already.
      return { headers: table.headers, rows: source.plan.isAggregate ? rows.toReversed() : rows };
    },
  };
}

/** A field that was asked for and that a row does not have is an empty text; only the key must be there. */
function withEmptyCells({ headers, rows }: LookupTable, key: readonly string[]): LookupTable['rows'] {
  const isKey = headers.map((name) => key.includes(name));
  return rows.map((row) => row.map((cell, index) => (isKey[index] ? cell : (cell ?? ''))));
}
