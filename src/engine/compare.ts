import { parseNumber } from './value.ts';

/** A value prepared for sorting, so that numbers are parsed only once. */
export type SortKey = number | bigint | string | undefined;

export function sortKey(text: string | undefined): SortKey {
  return text === undefined ? undefined : (parseNumber(text) ?? text);
}

/**
 * Sorts numbers before strings before missing values. `direction` is 1 for ascending and -1 for descending, which
 * reverses numbers and strings but keeps missing values last.
 */
export function compareKeys(a: SortKey, b: SortKey, direction: 1 | -1 = 1): number {
  if (a === b) return 0;
  const rank = kindOf(a) - kindOf(b);
  if (rank !== 0) return rank;
  return (a as number) < (b as number) ? -direction : direction;
}

/** The order of numbers, strings and missing values. */
export function kindOf(key: SortKey): number {
  if (key === undefined) return 2;
  return typeof key === 'string' ? 1 : 0;
}
