import { types } from 'node:util';

/** ISO 8601 with an offset, the only text that names an instant without guessing. */
const ISO_INSTANT =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-](?:(?:0\d|1[0-7]):\d\d|18:00))$/;
const DIGITS = /^\d{9,19}(?:\.\d+)?$/;

/**
 * The timestamp of an event as the service takes it: epoch milliseconds, or the ISO text as it came (it may carry
 * more than milliseconds).
 *
 * Numbers count as seconds, milliseconds, microseconds or nanoseconds by their size, as loggers write all four.
 *
 * @returns `undefined` when the value names no instant.
 */
export function timestampOf(value: unknown): number | string | undefined {
  if (typeof value === 'number') return epochMilliseconds(value);
  if (typeof value === 'bigint') return epochMilliseconds(Number(value));
  if (typeof value === 'string') {
    if (isInstant(value)) return value;
    return DIGITS.test(value) ? epochMilliseconds(Number(value)) : undefined;
  }
  if (types.isDate(value)) {
    const time = Date.prototype.getTime.call(value);
    return time >= 0 ? time : undefined;
  }
  return undefined;
}

/** The service refuses an event for a day that there is not, and for one before 1970. */
function isInstant(text: string): boolean {
  const date = ISO_INSTANT.exec(text)?.[1];
  return date !== undefined && Date.parse(text) >= 0 && isDay(date);
}

/** `Date` takes the 30th of February for the 2nd of March. */
function isDay(date: string): boolean {
  return Number(date.slice(-2)) <= 28 || new Date(date).toISOString().startsWith(date);
}

/** As milliseconds, each bound lies beyond the year 5000 for its unit and before 1973 for the next. */
function epochMilliseconds(value: number): number | undefined {
  if (!(value >= 1e8)) return undefined; // Before 1973 in seconds: rather a field of the program's own.
  if (value < 1e11) return Math.round(value * 1e3);
  if (value < 1e14) return Math.floor(value);
  if (value < 1e17) return Math.floor(value / 1e3);
  if (value < 1e20) return Math.floor(value / 1e6);
  return undefined;
}
