import { lengthOf, splitDuration } from '../../core/duration.ts';
import { DAY_MS } from '../../core/epoch.ts';
import type { TimeZone } from '../../core/time-zone.ts';

/** 1970 started on a Thursday, the fourth day of the week. */
const DAYS_INTO_WEEK = 3;
const DAYS = { day: 1, week: 7 } as const;
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** A number of calendar days or longer units, whose length varies. */
export interface CalendarSpan {
  readonly unit: keyof typeof DAYS | keyof typeof MONTHS;
  readonly count: number;
  /** The usual length in milliseconds. */
  readonly lengthMs: number;
}

/** Parses `calendar: 2months`. Units shorter than a day have a fixed length and become milliseconds. */
export function readCalendarSpan(text: string): CalendarSpan | number | undefined {
  const [, rest] = /^\s*calendar:(.*)$/s.exec(text) ?? [];
  const duration = rest === undefined ? undefined : splitDuration(rest);
  if (duration === undefined || duration.count === 0) return undefined;
  const { count, unit } = duration;
  const lengthMs = lengthOf(duration);
  return unit in DAYS || unit in MONTHS ? { unit: unit as CalendarSpan['unit'], count, lengthMs } : lengthMs;
}

/** The start of the span that contains a time, or of a later one. Spans of several units are counted from that of 1970. */
export function calendarStart(span: CalendarSpan, time: number, zone: TimeZone, later = 0): number {
  return startOf(span, numberOf(span, time, zone) + later, zone);
}

function numberOf({ unit, count }: CalendarSpan, time: number, zone: TimeZone): number {
  const local = time + zone.offsetAt(time);
  if (unit === 'day' || unit === 'week') {
    return Math.floor((Math.floor(local / DAY_MS) + shiftOf(unit)) / (DAYS[unit] * count));
  }
  const date = new Date(local);
  const months = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return Math.floor(months / (MONTHS[unit] * count));
}

function startOf({ unit, count }: CalendarSpan, number: number, zone: TimeZone): number {
  return zone.toEpoch(
    unit === 'day' || unit === 'week'
      ? (number * DAYS[unit] * count - shiftOf(unit)) * DAY_MS
      : Date.UTC(1970, number * MONTHS[unit] * count),
  );
}

function shiftOf(unit: keyof typeof DAYS): number {
  return unit === 'week' ? DAYS_INTO_WEEK : 0;
}
