import type { Fields } from '../event.ts';
import { type CombinedIds, combinedIds } from './combined-ids.ts';
import type { EventTable } from './event-table.ts';
import { rowReader } from './table-rows.ts';

/** What is computed of some fields of the events of a table. */
export interface ComputedOfFields<Result> {
  at(index: number): Result;
  /** Tells the results apart, where each of them is computed once. */
  readonly ids: CombinedIds | undefined;
}

/** Numbers for more than this share of the events are not worth a list of results. */
const MAX_SHARE = 0.5;

/**
 * Computes something of some fields: once for each combination of their values where these are few, else for each
 * event. Nothing is computed before somebody asks for it.
 *
 * @param compute depends on nothing but the row, which it may change.
 */
export function computedOfFields<Result>(
  table: EventTable,
  names: readonly string[],
  compute: (row: Fields) => Result,
): ComputedOfFields<Result> {
  const columns = names.map((name) => table.column(name));
  const rowAt = rowReader(names, columns);
  const ids = combinedIds(columns);
  return ids === undefined || ids.end > Math.max(1, table.length * MAX_SHARE)
    ? { ids: undefined, at: keptForLast((index) => compute(rowAt(index))) }
    : { ids, at: keptForIds(ids, (index) => compute(rowAt(index))) };
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

function keptForIds<Result>(ids: CombinedIds, compute: (index: number) => Result): (index: number) => Result {
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
