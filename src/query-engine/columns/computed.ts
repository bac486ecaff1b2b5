import type { Column, EventTable } from './event-table.ts';

/** Small numbers that tell the combinations of values in some columns apart. */
export interface CombinedIds {
  /** All of them are below this. */
  readonly end: number;
  at(index: number): number;
}

/** More combinations are not worth a table. */
const MAX_COMBINATIONS = 0x2000;

/** `undefined` where many events have a value of their own, or there are too many combinations. */
export function combinedIds(columns: readonly Column[]): CombinedIds | undefined {
  let ids: CombinedIds = { end: 1, at: () => 0 };
  for (const { distinct } of columns) {
    if (distinct === undefined) return undefined;
    const before = ids;
    const { count, idAt } = distinct;
    const end = before.end * count;
    if (end > MAX_COMBINATIONS) return undefined;
    ids =
      before.end === 1 ? { end, at: idAt } : { end, at: (index) => before.at(index) * count + idAt(index) };
  }
  return ids;
}

/** More results than this share of the events are not worth a list. */
const MAX_SHARE = 0.5;

/**
 * Computes something of some columns: once for each combination of their values where these are few, else for each
 * event. Nothing is computed before it is read.
 *
 * @param compute must depend on nothing but these columns.
 */
export function computeOnce<Result>(
  table: EventTable,
  columns: readonly Column[],
  compute: (index: number) => Result,
): (index: number) => Result {
  const ids = combinedIds(columns);
  if (ids === undefined || ids.end > Math.max(1, table.length * MAX_SHARE)) return keptForLast(compute);
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

/** Several readers ask for the same event in turn. */
export function keptForLast<Result>(compute: (index: number) => Result): (index: number) => Result {
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
