import type { Fields } from '../event.ts';
import type { LookupTable } from '../query-library.ts';
import { cidrIndex } from './indexes/cidr-index.ts';
import { exactIndex } from './indexes/exact-index.ts';
import { globIndex } from './indexes/glob-index.ts';

/** How the values of fields are compared with those of columns. */
export type MatchMode = 'string' | 'glob' | 'cidr';

export interface IndexOptions {
  /** Each field is compared with the column at the same place. */
  readonly fields: readonly string[];
  readonly columns: readonly string[];
  readonly mode: MatchMode;
  readonly ignoreCase: boolean;
}

/** Finds the rows of a table that match an event. Rows are told by their numbers. */
export interface TableIndex {
  /** The last row that matches; -1 if none does. */
  last(event: Fields): number;
  /** At most `limit` rows, the last one first. */
  lastOnes(event: Fields, limit: number): readonly number[];
}

/**
 * Looks at every row once, and yields after each. A column that the table does not have matches nothing.
 */
export function indexTable(table: LookupTable, options: IndexOptions): Generator<void, TableIndex> {
  const columns = options.columns.map((name) => table.headers.lastIndexOf(name));
  switch (options.mode) {
    case 'string':
      return exactIndex(table, { ...options, columns });
    case 'glob':
      return globIndex(table, { ...options, columns });
    case 'cidr':
      return cidrIndex(table, { ...options, columns });
  }
}
