import { toNumber, type Value } from '../value.ts';
import type { EventTable, Values } from './event-table.ts';

/** Values that are computed when they are read. */
export function computedValues<Read extends Value>(at: (index: number) => Read) {
  return { at, numberReader: () => (index: number) => toNumber(at(index)) ?? Number.NaN };
}

/** Small integers that identify the combinations of values in some columns. */
export interface CombinedIds {
  /** Upper bound, exclusive. */
  readonly end: number;
  at(index: number): number;
}

/** Beyond this many combinations, a table does not pay. */
const MAX_COMBINATIONS = 0x2000;

/** `undefined` if a column has too many distinct values, or there are too many combinations. */
export function combinedIds(columns: readonly (Values | undefined)[]): CombinedIds | undefined {
  let ids: CombinedIds = { end: 1, at: () => 0 };
  for (const column of columns) {
    if (column?.distinct === undefined) return undefined;
    const before = ids;
    const { count, idAt } = column.distinct;
    const end = before.end * count;
    if (end > MAX_COMBINATIONS) return undefined;
    if (before.end === 1) ids = { end, at: idAt };
    else if (count > 1) ids = { end, at: (index) => before.at(index) * count + idAt(index) };
  }
  return ids;
}

/** If more than this share of the events differ, caching does not pay. */
const MAX_SHARE = 0.5;

/**
 * Computes a result from some columns, lazily: once per combination of values if these are few, otherwise per event.
 *
 * @param compute must depend only on these columns.
 */
export function computeOnce<Result>(
  table: EventTable,
  columns: readonly (Values | undefined)[],
  compute: (index: number) => Result,
): (index: number) => Result {
  const ids = combinedIds(columns);
  if (ids === undefined || ids.end > Math.max(1, table.length * MAX_SHARE)) return memoizeLast(compute);
  const results: Result[] = new Array(ids.end);
  const isKnown = new Uint8Array(ids.end);
  return (index) => {
    const id = ids.at(index);
    if (isKnown[id] === 0) {
      results[id] = compute(index);
      isKnown[id] = 1;
    }
    return results[id]!;
  };
}

/** Caches the last result, because several readers ask for the same event in turn. */
export function memoizeLast<Result>(compute: (index: number) => Result): (index: number) => Result {
  let last = -1;
  let result: Result;
  return (index) => {
    if (index !== last) {
      result = compute(index);
      last = index;
    }
    return result;
  };
}
