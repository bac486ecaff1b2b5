import { readField } from '../event.ts';
import { fieldName, timeZone } from '../signature/argument-types.ts';
import { defineValue, type FunctionSpec, optional, withDefault } from '../signature/function-spec.ts';
import { dayOfWeek, dayOfYear, weekOfYear } from '../time/calendar-day.ts';
import { MONTH_NAMES, WEEKDAY_NAMES } from '../time/english-names.ts';
import { isMoment, timeOf } from '../time/epoch.ts';
import { timeZoneOrUtc } from '../time/time-zone.ts';

/** Parts of a wall-clock time, which the `getUTC…` methods read. */
const PARTS: Readonly<Record<string, (local: Date) => number | string>> = {
  millisecond: (local) => local.getUTCMilliseconds(),
  second: (local) => local.getUTCSeconds(),
  minute: (local) => local.getUTCMinutes(),
  hour: (local) => local.getUTCHours(),
  dayOfMonth: (local) => local.getUTCDate(),
  dayOfWeek,
  dayOfWeekName: (local) => WEEKDAY_NAMES[dayOfWeek(local) - 1]![0],
  dayOfYear,
  weekOfYear,
  month: (local) => local.getUTCMonth() + 1,
  monthName: (local) => MONTH_NAMES[local.getUTCMonth()]![0],
  year: (local) => local.getUTCFullYear(),
};

export const timeParts: readonly FunctionSpec[] = Object.entries(PARTS).map(([name, read]) =>
  defineValue({
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
    compile:
      ({ field, timezone, timezoneField }) =>
      (row) => {
        const epochMs = timeOf(row, field);
        if (epochMs === undefined || !isMoment(epochMs)) return undefined;
        const zone = timezone ?? timeZoneOrUtc(readField(row, timezoneField) ?? 'UTC');
        const local = new Date(epochMs + zone.offsetAt(epochMs));
        return Number.isNaN(local.getTime()) ? undefined : read(local);
      },
  }),
);
