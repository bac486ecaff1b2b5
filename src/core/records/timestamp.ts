import { isDate } from '../builtin-types.ts';
import { MAX_EPOCH_MS, parseTime, timeAdvice } from '../epoch.ts';
import { describe } from '../option-checks.ts';

/** ISO 8601 with an offset: without one, the instant would be a guess. */
const ISO_INSTANT =
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-](?:(?:0\d|1[0-7]):\d\d|18:00))$/;
/** The same in all forms that the service reads. */
const WRITTEN_INSTANT =
  /^(\d{4}-\d\d-\d\d)[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)? ?(?:Z|[+-]\d\d(?::?\d\d)?)(?:\[[^\]]*\])?$/i;
const DIGITS = /^\d{9,19}(?:\.\d+)?$/;

/**
 * Converts a value to a timestamp that the service accepts: epoch milliseconds, or an ISO 8601 string, which can be more
 * precise. Numbers are seconds, milliseconds, microseconds or nanoseconds, depending on their size, because loggers write
 * all four.
 *
 * @returns `undefined` if the value is not a timestamp.
 */
export function timestampOf(value: unknown): number | string | undefined {
  if (typeof value === 'number') return epochMilliseconds(value);
  if (typeof value === 'bigint') return epochMilliseconds(Number(value));
  if (typeof value === 'string')
    return instantOf(value) ?? (DIGITS.test(value) ? epochMilliseconds(Number(value)) : undefined);
  if (isDate(value)) {
    const time = Date.prototype.getTime.call(value);
    return time >= 0 ? time : undefined;
  }
  return undefined;
}

/** Whether the service accepts a value as the time of a structured event. */
export function isEventTime(value: unknown): boolean {
  const object = value as { toJSON?(): unknown } | null | undefined;
  // JSON has another value for some objects, such as the string of a `Temporal.Instant`.
  const sent: unknown = typeof object?.toJSON === 'function' ? object.toJSON() : value;
  if (typeof sent === 'number') return sent >= 0 && sent <= MAX_EPOCH_MS && timeAdvice(sent) === '';
  const date = typeof sent === 'string' ? WRITTEN_INSTANT.exec(sent)?.[1] : undefined;
  return date !== undefined && parseTime(date) >= 0;
}

/** What the time of an event must be, and what to do about the value given instead. */
export function expectedTime(value: unknown): string {
  return `epoch milliseconds since 1970, a Date, or ISO 8601 with an offset (got ${describe(value)}).${timeAdvice(value)}`;
}

/** The ISO 8601 form of a time with an offset, which may have a space instead of the T, or no colon in the offset. */
export function instantOf(text: string): string | undefined {
  if (isInstant(text)) return text;
  const iso = text.toUpperCase().replace(/^(\S{10}) /, '$1T');
  const instant = iso.replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
  return isInstant(instant) ? instant : undefined;
}

/** The service rejects events with invalid dates or dates before 1970. */
function isInstant(text: string): boolean {
  return ISO_INSTANT.test(text) && parseTime(text) >= 0;
}

/**
 * Converts a number that a logger writes as a time; its unit follows from its size. Each limit is after the year 2285 in
 * its unit, and before March 1973 in the next one.
 *
 * @returns `undefined` if it is not a time
 */
export function epochMilliseconds(value: number): number | undefined {
  if (!(value >= 1e8)) return undefined; // Before 1973 in seconds, so probably not a timestamp.
  if (value < 1e10) return Math.round(value * 1e3);
  if (value < 1e14) return Math.floor(value);
  if (value < 1e17) return Math.floor(value / 1e3);
  if (value < 1e20) return Math.floor(value / 1e6);
  return undefined;
}
