import { findTimeZone, type TimeZone } from './time-zone.ts';

/** What a text says about a moment. Nothing in it has been checked against the calendar. */
export interface WrittenTime {
  year?: number;
  /** 1 to 12. */
  month?: number;
  dayOfMonth?: number;
  dayOfYear?: number;
  /** 0 to 23. */
  hour?: number;
  /** 0 to 11, to go with `isAfternoon`. */
  halfDayHour?: number;
  isAfternoon?: boolean;
  minute?: number;
  second?: number;
  /** Below the second. */
  nanos?: number;
  zone?: WrittenZone;
}

/** A time zone with the name that its source gave it. */
export interface WrittenZone {
  readonly name: string;
  readonly zone: TimeZone;
}

/** Tells the time, and is only asked where it matters: a query that asks depends on when it is run. */
export interface Clock {
  readonly now: number;
}

/** A moment in finer parts than milliseconds. */
export interface Instant {
  readonly epochMs: number;
  /** Nanoseconds below the millisecond. */
  readonly nanos: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** A date without a year is less than this ahead of now. */
const MAX_AHEAD_MS = 8 * DAY_MS;
/** A leap year is never further away, not even around 1900 and 2100. */
const MAX_YEARS_BACK = 8;

export const UTC: WrittenZone = { name: 'Z', zone: findTimeZone('UTC')! };

/** The zone of this name, offset or `Z`; `undefined` when there is none. */
export function findWrittenZone(name: string): WrittenZone | undefined {
  if (name === 'Z' || name === 'z') return UTC;
  const zone = findTimeZone(name);
  if (zone === undefined) return undefined;
  return { name: /^[+-]/.test(name) ? zone.name : name, zone };
}

/**
 * The moment that is meant. A time without a date is the latest one that is not ahead of now. A date without a year is the latest one that is less than eight days ahead of now; what
 * else is missing is zero.
 *
 * @returns `undefined` when the calendar has no such day or the clock no such time.
 */
export function instantOf(written: WrittenTime, zone: TimeZone, clock: Clock): Instant | undefined {
  const timeOfDay = timeOfDayOf(written);
  if (timeOfDay === undefined) return undefined;
  const { nanos = 0 } = written;
  const toInstant = (day: number): Instant => ({
    epochMs: zone.toEpoch(day + timeOfDay + Math.floor(nanos / 1e6)),
    nanos: nanos % 1e6,
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
  // What doesn't exist is carried over: 31 June is 1 July to a `Date`.
  const exists = date.getUTCMonth() === monthIndex && date.getUTCDate() === dayOfMonth;
  return exists ? date.getTime() : undefined;
}
