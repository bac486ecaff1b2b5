import type { Fields } from '../event.ts';

/** Work in slices: other code can run whenever it yields. */
export type SlicedWork<Result> = Generator<void, Result>;

/** Rows of a result that are created in slices: nothing ends a slice. */
// biome-ignore lint/suspicious/noConfusingVoidType: sliced work yields nothing.
export type RowSource = Generator<Fields | void, void>;

/** Number of items to merge or pass on per slice. */
export const ITEMS_PER_STEP = 128;

/** Number of items to sort per slice. More items mean fewer rounds of merging. */
const ITEMS_PER_SORT = 4096;

/** Does all the work at once. */
export function finish<Result>(work: SlicedWork<Result>): Result {
  for (let next = work.next(); ; next = work.next()) if (next.done === true) return next.value;
}

/** The first `limit` items in order. The sort is stable. */
export function* sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  limit = Number.POSITIVE_INFINITY,
): SlicedWork<T[]> {
  const runs: T[][] = [];
  for (let start = 0; start < items.length; start += ITEMS_PER_SORT) {
    runs.push(items.slice(start, start + ITEMS_PER_SORT).sort(compare));
    yield;
  }
  return yield* mergeRuns(runs, compare, limit);
}

/** Merges sorted arrays. The merge is stable. */
export function* mergeRuns<T>(
  sorted: readonly (readonly T[])[],
  compare: (a: T, b: T) => number,
  limit: number,
): SlicedWork<T[]> {
  let runs = sorted;
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const [left, right] = [runs[index]!, runs[index + 1]];
      merged.push(right === undefined ? left : yield* merge(left, right, compare, limit));
    }
    runs = merged;
  }
  return (runs[0] ?? []).slice(0, limit);
}

export function* merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  limit: number,
): SlicedWork<T[]> {
  const size = Math.min(limit, left.length + right.length);
  // An array that grows would leave twice its size of garbage.
  const merged = new Array<T>(size);
  let [fromLeft, fromRight] = [0, 0];
  for (let place = 0; place < size; place++) {
    const takesLeft =
      fromRight >= right.length ||
      (fromLeft < left.length && compare(left[fromLeft]!, right[fromRight]!) <= 0);
    merged[place] = takesLeft ? left[fromLeft++]! : right[fromRight++]!;
    if (place % ITEMS_PER_STEP === 0) yield;
  }
  return merged;
}
