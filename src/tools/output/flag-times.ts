import { parseTime } from '../../core/epoch.ts';
import { epochMilliseconds } from '../../core/records/timestamp.ts';
import type { TimeZone } from '../../core/time-zone.ts';
import { parserOf } from './flag-values.ts';

const RELATIVE =
  /^\d+\s*(ms|millis|milliseconds?|s|secs?|seconds?|m|min|minutes?|h|hrs?|hours?|d|days?|w|weeks?|mon|months?|q|qtrs?|quarters?|y|yrs?|years?)$/i;
const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;
const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * Reads a point in time: `15m` (ago), `now`, a date, a date with a time, epoch milliseconds, or epoch seconds and others by
 * their size. Returns `undefined` for other text.
 *
 * @param zone of times that name none. Default: local time
 */
export function timeAt(text: string, zone?: TimeZone): number | string | undefined {
  const value = text.trim();
  if (value === '0') return 0; // The start of all times.
  if (value === 'now' || RELATIVE.test(value)) return value;
  const epoch = /^\d+$/.test(value) ? epochMilliseconds(Number(value)) : undefined;
  if (epoch !== undefined) return epoch;
  if (!ISO.test(value)) return undefined;
  // A date alone would be read as UTC, but one with a time as local.
  const midnight = value.length === 10 ? 'T00:00' : '';
  const written = value.replace(' ', 'T').replace(',', '.').replace(' ', '') + midnight;
  const isLocal = zone === undefined || OFFSET.test(written);
  const time = isLocal ? parseTime(written) : zone.toEpoch(parseTime(`${written}Z`));
  return Number.isNaN(time) ? undefined : time;
}

/** Checks a point in time, which {@link timeAt} reads once the time zone is known. */
export const pointInTime = parserOf(
  'It must be a relative time such as 15m or "2 days", a time such as 2026-11-20T10:00, or epoch milliseconds.',
  (text) => (timeAt(text) === undefined ? undefined : text),
);
