import type { LookupTable } from '../query-library.ts';
import { cidrIndex } from './indexes/cidr-index.ts';
import { exactIndex } from './indexes/exact-index.ts';
import { globIndex } from './indexes/glob-index.ts';
import type { TableIndex } from './indexes/index-key.ts';

/** How values of fields are compared with cells. */
export type MatchMode = 'string' | 'glob' | 'cidr';

export interface IndexOptions {
  /** Each field is compared with the column at the same index. */
  readonly fields: readonly string[];
  readonly columns: readonly string[];
  readonly mode: MatchMode;
  readonly ignoreCase: boolean;
}

/** Builds an index and yields after each row. A column that the table lacks matches nothing. */
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
