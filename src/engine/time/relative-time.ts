import { type Duration, lengthOf, readDuration, splitRelativeTime, type Unit } from '../../core/duration.ts';
import { DAY_MS } from '../../core/epoch.ts';
import { LogOptionsException } from '../../core/errors.ts';
import { shortenText } from '../../core/shorten-text.ts';
import { findTimeZone, type TimeZone } from '../../core/time-zone.ts';
import { type CalendarSpan, calendarStart } from './calendar-span.ts';
import { isMoment } from './epoch.ts';

/** Of the text that a message quotes. */
const MAX_TEXT_LENGTH = 200;

/**
 * Parses `24hours`, `5 m`, `1000ms` to milliseconds. A month has 30 days, a quarter 90, a year 365.
 *
 * @throws LogOptionsException if the text is not a duration.
 */
export function parseDuration(text: string): number {
  const durationMs = readDuration(text);
  if (durationMs !== undefined) return durationMs;
  throw new LogOptionsException(
    `${JSON.stringify(text)} is not a duration. Write a whole number and a unit, such as "90s", "15m", "24hours" or "7 days".`,
  );
}

export interface TimePointOptions {
  /** Epoch milliseconds, digits, `now`, `24h`, `now@d`, `1d@d+12h`, `calendar: 2months`. */
  readonly value: number | string;
  /** Base of relative times, in epoch milliseconds. */
  readonly now: number;
  /** Time zone of days, weeks and months. IANA name, `UTC` or an offset such as `+02:00`. */
  readonly timeZone: string;
}

/**
 * Parses the start or end of a query: an absolute or relative time.
 *
 * @returns epoch milliseconds.
 * @throws LogOptionsException if the time is invalid or out of range, or the time zone is unknown.
 */
export function parseTimePoint(options: TimePointOptions): number {
  const epochMs = readTimePoint(options);
  if (isMoment(epochMs)) return epochMs;
  throw badTime(options.value);
}

function readTimePoint({ value, now, timeZone }: TimePointOptions): number {
  if (typeof value === 'number') return Math.trunc(value);
  const text = value.trim();
  if (text === 'now') return now;
  if (/^-?\d+$/.test(text)) return Number(text);
  const zone = findTimeZone(timeZone);
  if (zone === undefined) {
    throw new LogOptionsException(
      `${JSON.stringify(timeZone)} is not a time zone. Use an IANA name such as "Europe/Copenhagen", "UTC" or an offset such as "+02:00".`,
    );
  }
  return readRelativeTime(text, now, zone);
}

function badTime(value: unknown): LogOptionsException {
  const shown = typeof value === 'string' ? shortenText(value, MAX_TEXT_LENGTH) : value;
  return new LogOptionsException(
    `${JSON.stringify(shown)} is not a time. Use epoch milliseconds, "now", a time before now such as "24hours", or an anchored time such as "1d@d+12h".`,
  );
}

function readRelativeTime(text: string, now: number, zone: TimeZone): number {
  const relative = splitRelativeTime(text);
  if (relative === undefined) throw badTime(text);
  const move = relative.isCalendar ? moveByCalendar : moveFixed;
  const time = move(now, relative.back, zone);
  if (relative.anchor === undefined) return time;
  const anchored = startOf(relative.anchor, time, zone);
  return relative.offsets.reduce((at, offset) => move(at, offset, zone), anchored);
}

function moveFixed(time: number, duration: Duration): number {
  return time + lengthOf(duration);
}

/** Days and longer units keep the wall-clock time; months keep the day of the month or use the last one. */
function moveByCalendar(time: number, duration: Duration, zone: TimeZone): number {
  const { count, unit } = duration;
  if (lengthOf({ count: 1, unit }) < DAY_MS) return moveFixed(time, duration);
  const local = time + zone.offsetAt(time);
  if (unit === 'day' || unit === 'week') return zone.toEpoch(moveFixed(local, duration));
  const months = count * (unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1);
  const date = new Date(local);
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(dayOfMonth, lastDay));
  return zone.toEpoch(date.getTime());
}

function startOf(unit: Unit, time: number, zone: TimeZone): number {
  const lengthMs = lengthOf({ count: 1, unit });
  if (lengthMs >= DAY_MS) {
    return calendarStart({ unit: unit as CalendarSpan['unit'], count: 1, lengthMs }, time, zone);
  }
  // Within a day, the offset stays the same: when clocks go back, the second 02:30 is in its own hour.
  const offset = zone.offsetAt(time);
  return Math.floor((time + offset) / lengthMs) * lengthMs - offset;
}
