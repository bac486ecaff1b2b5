import { type Fields, readField } from '../event.ts';
import { fieldName, timeZone } from '../signature/argument-types.ts';
import { defineValue, type FunctionSpec, optional, withDefault } from '../signature/function-spec.ts';
import { parseNumber } from '../value.ts';
import { isMoment } from './epoch-range.ts';
import { findTimeZone, type TimeZone, timeZoneOrUtc } from './time-zone.ts';

/** Reads part of a wall-clock time, with the `getUTC…` methods. */
type ReadPart = (local: Date) => number | string;

/** Defines a function `time:<name>` that returns a part of a time, such as the hour. */
export function defineTimePart(name: string, read: ReadPart): FunctionSpec {
  return defineValue({
    name: `time:${name}`,
    output: `_${name}`,
    uncertain: [
      'The time zone defaults to UTC if neither `timezone` nor the field named by `timezoneField` is set.',
    ],
    parameters: {
      field: withDefault(fieldName, '@timestamp', { unnamed: true }),
      timezone: optional(timeZone),
      timezoneField: withDefault(fieldName, '@timezone'),
      as: optional(fieldName),
    },
    compile({ field, timezone, timezoneField }) {
      const zoneOf = timezone === undefined ? fieldZone(timezoneField) : () => timezone;
      return (row) => {
        const epochMs = parseNumber(readField(row, field) ?? '');
        if (epochMs === undefined || !isMoment(epochMs)) return undefined;
        const local = new Date(epochMs + zoneOf(row).offsetAt(epochMs));
        return Number.isNaN(local.getTime()) ? undefined : read(local);
      };
    },
  });
}

const UTC = timeZoneOrUtc('UTC');

/** The time zone in a field. Caches the previous one, because consecutive events rarely differ. */
function fieldZone(field: string): (row: Fields) => TimeZone {
  let lastName: string | undefined;
  let lastZone = UTC;
  return (row) => {
    const name = readField(row, field);
    if (name !== lastName) {
      lastZone = (name === undefined ? undefined : findTimeZone(name)) ?? UTC;
      lastName = name;
    }
    return lastZone;
  };
}

const DAY_MS = 24 * 60 * 60_000;

/** 1 on January 1. */
export function dayOfYear(local: Date): number {
  const startOfYear = new Date(0).setUTCFullYear(local.getUTCFullYear(), 0, 1);
  return Math.floor((local.getTime() - startOfYear) / DAY_MS) + 1;
}

/** 1 on Monday, 7 on Sunday. */
export function dayOfWeek(local: Date): number {
  return local.getUTCDay() || 7;
}

/** ISO 8601 week: the first week contains the first Thursday of the year. */
export function weekOfYear(local: Date): number {
  const thursday = new Date(local.getTime() + (4 - dayOfWeek(local)) * DAY_MS);
  return Math.ceil(dayOfYear(thursday) / 7);
}
