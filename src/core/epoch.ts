/** The maximum distance from 1970 that a `Date` supports, in milliseconds. */
export const MAX_EPOCH_MS = 8.64e15;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** Without a change of clocks. */
export const DAY_MS = 24 * HOUR_MS;
/** Epoch seconds from 2014 to 2039, which may have a fraction; as milliseconds, in January 1970. */
export const SECONDS = /^(?:1[4-9]|2[01])\d{8}(?:\.\d+)?$/;
/** The same times in microseconds. */
const MICROSECONDS = /^(?:1[4-9]|2[01])\d{14}(?:\.\d+)?$/;

/** What to do about a time in another unit, or without an offset; empty for others. */
export function timeAdvice(time: unknown): string {
  if (typeof time !== 'string' && typeof time !== 'number') return '';
  const [date, clock] = /^\d{4}-\d\d-\d\d(?:([T ])[\d:.,]+)?$/.exec(String(time)) ?? [];
  if (clock) return ' Add its offset: "Z" for UTC, or such as "+01:00".';
  if (date) return ` Add a time and an offset: "${date}T00:00:00Z" for UTC.`;
  if (SECONDS.test(String(time))) return ' It looks like seconds: multiply it by 1000.';
  return MICROSECONDS.test(String(time)) ? ' It looks like microseconds: divide it by 1000.' : '';
}

/** The epoch milliseconds of a time in ISO 8601; NaN for a day that doesn't exist: `Date` reads February 30 as March 2. */
export function parseTime(text: string): number {
  const date = text.slice(0, 10);
  const day = Number(date.slice(8));
  return day > 28 && new Date(date).getUTCDate() !== day ? Number.NaN : Date.parse(text);
}
