import type { SearchState } from '../state/search-state.ts';

/** Time ranges of the picker: a duration before now, and its label. */
export const RANGES = [
  ['5m', '5 minutes'],
  ['15m', '15 minutes'],
  ['1h', '1 hour'],
  ['4h', '4 hours'],
  ['24h', '24 hours'],
  ['2d', '2 days'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['all', 'All time'],
] as const;

/** Longer than any log exists. */
const ALL = '100years';

type Range = Pick<SearchState, 'start' | 'end'>;

/** Whether a range ends now and so includes new records. */
export function isRelative({ start, end }: Range): boolean {
  return end === 'now' && !/^\d+$/.test(start);
}

/** `start` and `end` in the format of the API. */
export function interval({ start, end }: Range): Record<keyof Range, string | number> {
  const bound = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);
  return { start: start === 'all' ? ALL : bound(start), end: bound(end) };
}
