import { readField } from '../../event.ts';
import type { LookupTable } from '../../query-library.ts';
import { compileGlob, type TextMatcher } from '../../text/glob.ts';
import { type KeyOptions, keyOfEvent, type TableIndex } from './index-key.ts';

/** Maximum number of keys in the cache. */
const MAX_REMEMBERED = 4096;

interface PatternRow {
  readonly row: number;
  readonly matchers: readonly TextMatcher[];
}

/** Finds rows whose values are patterns. Caches the results. */
export function* globIndex(table: LookupTable, options: KeyOptions): Generator<void, TableIndex> {
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
  return { last: (event) => lastOnes(event, 1)[0] ?? -1, lastOnes };
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
  const found: number[] = [];
  for (const { row, matchers } of patterns) {
    if (!matchers.every((matches, index) => matches(values[index]!))) continue;
    found.push(row);
    if (found.length >= limit) break;
  }
  return found;
}
