import { DAY_MS } from '../../core/epoch.ts';
import { findTimeZone, type TimeZone } from '../../core/time-zone.ts';

/** A time as written, not checked against the calendar. */
export interface WrittenTime {
  year?: number;
  /** 1 to 12. */
  month?: number;
  dayOfMonth?: number;
  dayOfYear?: number;
  /** 0 to 23. */
  hour?: number;
  /** 0 to 11, combined with `isAfternoon`. */
  halfDayHour?: number;
  isAfternoon?: boolean;
  minute?: number;
  second?: number;
  /** Nanoseconds of the second. */
  nanos?: number;
  zone?: WrittenZone;
}

/** A time zone with the name in its source. */
export interface WrittenZone {
  readonly name: string;
  readonly zone: TimeZone;
}

/** The current time. Read it only if needed: the result of a query that reads it depends on when it runs. */
export interface Clock {
  readonly now: number;
}

/** A time with nanoseconds, and the zone it was written in. */
export interface Instant {
  readonly epochMs: number;
  /** Nanoseconds of the millisecond. */
  readonly nanos: number;
  readonly zone: WrittenZone;
}

/** A date without a year is less than this far in the future. */
const MAX_AHEAD_MS = 8 * DAY_MS;
/** A leap year is never further back, not even around 1900 and 2100. */
const MAX_YEARS_BACK = 8;

export const UTC: WrittenZone = { name: 'Z', zone: findTimeZone('UTC')! };

/** Finds a zone by name, offset or `Z`; `undefined` if there is none. */
export function findWrittenZone(name: string): WrittenZone | undefined {
  if (name === 'Z' || name === 'z') return UTC;
  const zone = findTimeZone(name);
  if (zone === undefined) return undefined;
  return { name: /^[+-]/.test(name) ? zone.name : name, zone };
}

/**
 * Completes a time. Without a date, it is the latest one that is not in the future. Without a year, it is the latest
 * one that is less than eight days in the future. Other missing parts are zero.
 *
 * @returns `undefined` if the date or time doesn't exist.
 */
export function instantOf(written: WrittenTime, place: WrittenZone, clock: Clock): Instant | undefined {
  const { zone } = place;
  const timeOfDay = timeOfDayOf(written);
  if (timeOfDay === undefined) return undefined;
  const { nanos = 0 } = written;
  const toInstant = (day: number): Instant => ({
    epochMs: zone.toEpoch(day + timeOfDay + Math.floor(nanos / 1e6)),
    nanos: nanos % 1e6,
    zone: place,
  });
  if (written.year !== undefined) {
    const day = startOfDay(written, written.year);
    return day === undefined ? undefined : toInstant(day);
  }
  const { now } = clock;
  if (written.month === undefined && written.dayOfYear === undefined) {
    const localNow = now + zone.offsetAt(now);
    const today = toInstant(localNow - (((localNow % DAY_MS) + DAY_MS) % DAY_MS));
    return today.epochMs <= now ? today : { ...today, epochMs: today.epochMs - DAY_MS };
  }
  const nextYear = new Date(now + zone.offsetAt(now)).getUTCFullYear() + 1;
  for (let year = nextYear; year >= nextYear - MAX_YEARS_BACK; year -= 1) {
    const day = startOfDay(written, year);
    const instant = day === undefined ? undefined : toInstant(day);
    if (instant !== undefined && instant.epochMs < now + MAX_AHEAD_MS) return instant;
  }
  return undefined;
}

function timeOfDayOf({ hour, halfDayHour, isAfternoon, minute = 0, second = 0 }: WrittenTime) {
  const hours = hour ?? (halfDayHour ?? 0) + (isAfternoon === true ? 12 : 0);
  if (hours > 23 || minute > 59 || second > 59) return undefined;
  return ((hours * 60 + minute) * 60 + second) * 1000;
}

/** Midnight, as local milliseconds. */
function startOfDay({ month, dayOfMonth = 1, dayOfYear }: WrittenTime, year: number): number | undefined {
  const date = new Date(0);
  if (dayOfYear !== undefined && month === undefined) {
    date.setUTCFullYear(year, 0, dayOfYear);
    return dayOfYear >= 1 && date.getUTCFullYear() === year ? date.getTime() : undefined;
  }
  const monthIndex = (month ?? 1) - 1;
  date.setUTCFullYear(year, monthIndex, dayOfMonth);
  // A `Date` turns June 31 into July 1.
  const exists = date.getUTCMonth() === monthIndex && date.getUTCDate() === dayOfMonth;
  return exists ? date.getTime() : undefined;
}

/** Digits to append for milliseconds: a second is 1,000 ms. */
const MISSING_DIGITS = { seconds: 3, millis: 0, micros: -3, nanos: -6 } as const;

export type EpochUnit = keyof typeof MISSING_DIGITS;

/** Parses an epoch time in UTC, with or without a fraction; `undefined` if it is not a number of at most 20 digits. */
export function readEpoch(text: string, unit: EpochUnit): Instant | undefined {
  const [, whole, fraction = ''] = /^(\d{1,20})(?:\.(\d{1,20}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  // Moves the decimal point in the text, because a double would lose digits.
  const point = whole.length + MISSING_DIGITS[unit];
  const digits = '0'.repeat(Math.max(0, -point)) + (whole + fraction).padEnd(point, '0');
  const end = Math.max(0, point);
  return {
    epochMs: Number(digits.slice(0, end)),
    nanos: Number(digits.slice(end).padEnd(6, '0').slice(0, 6)),
    zone: UTC,
  };
}
