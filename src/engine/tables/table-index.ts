import { readIpAddress } from '../addresses/ip-address.ts';
import { readSubnet, SubnetMap } from '../addresses/subnet.ts';
import { type GroupKey, idOf } from '../aggregates/groups.ts';
import { type Fields, readField } from '../event.ts';
import type { LookupTable } from '../query-library.ts';
import { compileGlob, type TextMatcher } from '../text/glob.ts';

/** Finds the rows of a table that match an event, by row number. */
export interface TableIndex {
  /** The last row that matches; -1 if none does. */
  last(event: Fields): number;
  /** The last rows that match, at most `limit`, last row first. */
  lastOnes(event: Fields, limit: number): readonly number[];
}

/** How fields of an event and columns of a table form a key. */
export interface KeyOptions {
  readonly fields: readonly string[];
  /** Positions in a row. */
  readonly columns: readonly number[];
  readonly ignoreCase: boolean;
}

/** The key of an event; `undefined` if a field is missing. */
export function keyOfEvent(event: Fields, { fields, ignoreCase }: KeyOptions): string | undefined {
  return keyOf(
    fields.map((name) => readField(event, name)),
    ignoreCase,
  );
}

function keyOf(values: GroupKey, ignoreCase: boolean): string | undefined {
  if (values.includes(undefined)) return undefined;
  return idOf(ignoreCase ? values.map((value) => value?.toLowerCase()) : values);
}

/** No row. */
const NONE = -1;

/** Finds the row with the smallest subnet that contains an address. Ignores cells that are not subnets. */
function* cidrIndex({ rows }: LookupTable, { fields, columns }: KeyOptions): Generator<void, TableIndex> {
  const [field = ''] = fields;
  const [column = -1] = columns;
  const subnets = new SubnetMap<number>();
  for (let row = 0; row < rows.length; row += 1) {
    const cell = rows[row]![column];
    const subnet = cell === undefined ? undefined : readSubnet(cell);
    if (subnet !== undefined) subnets.set(subnet, row);
    yield;
  }
  const last: TableIndex['last'] = (event) => {
    const value = readField(event, field);
    const address = value === undefined ? undefined : readIpAddress(value);
    return address === undefined ? NONE : (subnets.find(address) ?? NONE);
  };
  return {
    last,
    lastOnes: (event) => [last(event)].filter((row) => row !== NONE),
  };
}

/** Finds rows by equal values. Has one entry per key, and one number per row with a repeated key. */
function* exactIndex({ rows }: LookupTable, options: KeyOptions): Generator<void, TableIndex> {
  const lastRow = new Map<string, number>();
  const earlierRow = new Map<number, number>();
  for (let row = 0; row < rows.length; row += 1) {
    const cells = options.columns.map((column) => rows[row]![column]);
    const key = keyOf(cells, options.ignoreCase);
    if (key === undefined) continue;
    const earlier = lastRow.get(key);
    if (earlier !== undefined) earlierRow.set(row, earlier);
    lastRow.set(key, row);
    yield;
  }
  const last: TableIndex['last'] = (event) => {
    const key = keyOfEvent(event, options);
    return key === undefined ? NONE : (lastRow.get(key) ?? NONE);
  };
  return {
    last,
    lastOnes(event, limit) {
      const rows: number[] = [];
      let row = last(event);
      while (row !== NONE && rows.length < limit) {
        rows.push(row);
        row = earlierRow.get(row) ?? NONE;
      }
      return rows;
    },
  };
}

/** Maximum number of keys in the cache. */
const MAX_REMEMBERED = 4096;

interface PatternRow {
  readonly row: number;
  readonly matchers: readonly TextMatcher[];
}

/** Finds rows whose values are patterns. Caches the results. */
function* globIndex(table: LookupTable, options: KeyOptions): Generator<void, TableIndex> {
  const patterns = yield* patternRows(table, options);
  const remembered = new Map<string, { readonly limit: number; readonly rows: readonly number[] }>();
  const lastOnes: TableIndex['lastOnes'] = (event, limit) => {
    const key = keyOfEvent(event, options);
    if (key === undefined) return [];
    const known = remembered.get(key);
    if (known?.limit === limit) return known.rows;
    const values = options.fields.map((name) => readField(event, name) ?? '');
    const rows = matching(patterns, values, limit);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, { limit, rows });
    return rows;
  };
  return { last: (event) => lastOnes(event, 1)[0] ?? NONE, lastOnes };
}

/** Last row first. */
function* patternRows({ rows }: LookupTable, options: KeyOptions): Generator<void, readonly PatternRow[]> {
  const { columns, ignoreCase } = options;
  const patterns: PatternRow[] = [];
  for (let row = rows.length - 1; row >= 0; row -= 1) {
    const cells = rows[row]!;
    if (columns.some((column) => cells[column] === undefined)) continue;
    const matchers = columns.map((column) =>
      compileGlob(cells[column] ?? '', { anchored: false, ignoreCase }),
    );
    patterns.push({ row, matchers });
    yield;
  }
  return patterns;
}

function matching(patterns: readonly PatternRow[], values: readonly string[], limit: number): number[] {
  const matchingRows: number[] = [];
  for (const { row, matchers } of patterns) {
    if (!matchers.every((matches, index) => matches(values[index]!))) continue;
    matchingRows.push(row);
    if (matchingRows.length >= limit) break;
  }
  return matchingRows;
}

const INDEXES = { string: exactIndex, glob: globIndex, cidr: cidrIndex };

/** How values of fields are compared with cells. */
export type MatchMode = keyof typeof INDEXES;

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
  return INDEXES[options.mode](table, { ...options, columns });
}
