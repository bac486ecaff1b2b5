import { parseNumber } from './value.ts';

/** A field's value made ready for sorting: numbers are read once, not at every comparison. */
export type SortKey = number | bigint | string | undefined;

/** Numbers count as numbers, all else as text. */
export function sortKey(text: string | undefined): SortKey {
  return text === undefined ? undefined : (parseNumber(text) ?? text);
}

/**
 * Orders numbers before texts before missing values. `direction` is 1 for ascending and -1 for descending; it turns
 * numbers and texts among themselves, but missing values stay last.
 */
export function compareKeys(a: SortKey, b: SortKey, direction: 1 | -1 = 1): number {
  if (a === b) return 0;
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  return (a as number) < (b as number) ? -direction : direction;
}

function rankOf(key: SortKey): number {
  if (key === undefined) return 2;
  return typeof key === 'string' ? 1 : 0;
}
