import { timeZoneOrUtc } from '../../core/time-zone.ts';
import { convertedNumber } from '../columns/expression.ts';
import { readField, readNumber } from '../event.ts';
import { fieldStep } from '../operators/row-code.ts';
import { compilePattern } from '../pattern-error.ts';
import {
  durationMs,
  fieldName,
  flag,
  integer,
  locale,
  oneOf,
  text,
  timeZone,
} from '../signature/argument-types.ts';
import {
  define,
  type FunctionSpec,
  optional,
  rawstring,
  required,
  unnamed,
  withDefault,
} from '../signature/function-spec.ts';
import { timePoint } from '../tables/sub-query-arguments.ts';
import { dayOfWeek, dayOfYear, weekOfYear } from '../time/calendar-day.ts';
import { MONTH_NAMES, WEEKDAY_NAMES } from '../time/english-names.ts';
import { isMoment } from '../time/epoch.ts';
import { compileTimeFormat, unknownTimeLetter } from '../time/time-text.ts';
import { type EpochUnit, instantOf, readEpoch, type WrittenTime } from '../time/written-time.ts';
import { givenZone, timestampParameters, writeTimestamp } from '../timestamps/timestamp-fields.ts';
import { findTimestampIn } from '../timestamps/timestamp-finder.ts';
import { compileTimestampPattern } from '../timestamps/timestamp-pattern.ts';

/** When the query was submitted, and the start and the end of its interval. Epoch milliseconds. */
export const queryTimes: readonly FunctionSpec[] = (['now', 'start', 'end'] as const).map((name) =>
  define.value({
    name,
    parameters: { as: optional(fieldName, { unnamed: true }) },
    compile: () => (_row, run) => run[name],
  }),
);

/** Sets the interval of the query and overrides that of the request. The time zone applies only to these two times. */
export const setTimeInterval = define.definition({
  name: 'setTimeInterval',
  parameters: { start: unnamed(timePoint), end: withDefault(timePoint, 'now'), timezone: optional(timeZone) },
  compile({ start, end, timezone }, call) {
    const { draft } = call.scope;
    if (draft.interval !== undefined) call.fail('setTimeInterval() is only allowed once in a query');
    if (draft.stage !== 'interval') {
      call.fail('setTimeInterval() must be the first step of the query and is not allowed in a subquery');
    }
    draft.interval = { start, end, timeZone: timezone?.name };
    draft.stage = 'tables';
  },
});

/** Converts a duration such as `2d` to milliseconds. */
export const duration = define.value({
  name: 'duration',
  parameters: { duration: unnamed(durationMs) },
  compile:
    ({ duration: milliseconds }) =>
    () =>
      milliseconds,
});

const UNITS = ['ns', 'us', 'ms', 's', 'm', 'h', 'd'] as const;

/** Number of each unit in the next larger one. */
const PER_NEXT: Readonly<Record<(typeof UNITS)[number], number>> = {
  ns: 1000,
  us: 1000,
  ms: 1000,
  s: 60,
  m: 60,
  h: 24,
  d: Number.POSITIVE_INFINITY,
};

/**
 * Formats an integer number of some unit as `6h30m52s`, with at most `precision` units. Units with the value 0 are
 * omitted.
 */
export const formatDuration = define.value({
  name: 'formatDuration',
  output: ({ field }) => field,
  uncertain: [
    'Units with the value 0 are omitted and do not count toward `precision`.',
    'A duration of 0 is printed as 0 in the unit given by `from`.',
  ],
  parameters: {
    field: unnamed(fieldName),
    from: withDefault(oneOf(...UNITS), 'ms'),
    precision: withDefault(integer({ min: 0, max: UNITS.length }), 0),
  },
  compile({ field, from, precision }) {
    const units = UNITS.slice(UNITS.indexOf(from));
    return convertedNumber(field, (amount) => {
      if (!Number.isSafeInteger(amount)) return undefined;
      const parts = splitDuration(Math.abs(amount), units);
      const shown = precision === 0 ? parts : parts.slice(0, precision);
      return (amount < 0 ? '-' : '') + (shown.join('') || `0${from}`);
    });
  },
});

/** `['6h', '30m']`, largest unit first. */
function splitDuration(amount: number, units: readonly (typeof UNITS)[number][]): string[] {
  const parts: string[] = [];
  let rest = amount;
  for (const unit of units) {
    const count = PER_NEXT[unit] === Number.POSITIVE_INFINITY ? rest : rest % PER_NEXT[unit];
    if (count > 0) parts.unshift(`${count}${unit}`);
    rest = Math.floor(rest / PER_NEXT[unit]);
  }
  return parts;
}

/** Epoch times without a unit are in seconds up to this value. */
const MAX_SECONDS = 100_000_000_000;

export const formatTime = define.value({
  name: 'formatTime',
  partial: ['`%N` has millisecond precision.'],
  uncertain: ['Fractions of a millisecond are truncated.', '`%Z` prints Z for UTC.'],
  output: null,
  parameters: {
    format: unnamed(text),
    field: withDefault(fieldName, '@timestamp'),
    timezone: withDefault(timeZone, timeZoneOrUtc('UTC')),
    locale: withDefault(locale, 'en-US'),
    unit: withDefault(oneOf('auto', 'seconds', 'milliseconds'), 'auto'),
  },
  compile(args, call) {
    const { field, timezone, unit } = args;
    const unknown = unknownTimeLetter(args.format);
    if (unknown !== undefined) call.fail(`formatTime() does not support %${unknown}`, 'format');
    const format = compileTimeFormat(args.format, args.locale);
    return convertedNumber(field, (number) => {
      const isSeconds = unit === 'seconds' || (unit === 'auto' && Math.abs(number) <= MAX_SECONDS);
      const epochMs = Math.trunc(isSeconds ? number * 1000 : number);
      return isMoment(epochMs) ? format(epochMs, timezone) : undefined;
    });
  },
});

/** Finds a timestamp in a common format in the first 128 characters of a field. */
export const findTimestamp = define.transform({
  name: 'findTimestamp',
  uncertain: [
    'Timestamps without a time zone are read as UTC unless `timezone` or `timezoneField` is set.',
    '06/07/2023 means June 7.',
    'Numbers that start with 1 are epoch times: 10 digits mean seconds, 13 milliseconds, 16 microseconds and 19 nanoseconds.',
    'The first timestamp with a date is used. Without one, the first time of day is used: today, or yesterday if that is in the future.',
  ],
  parameters: { field: rawstring, ...timestampParameters },
  compile(args) {
    const { field, as, timezoneAs } = args;
    const problem = `The field "${field}" contains no timestamp in a known format.`;
    return fieldStep(field, [as, timezoneAs], (value, row, run) => {
      const instant = findTimestampIn(value, { zone: givenZone(row, args), clock: run });
      writeTimestamp(row, instant, args, problem);
    });
  },
});

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
  define.value({
    name: `time:${name}`,
    uncertain: [
      'The time zone defaults to UTC if neither `timezone` nor the field named by `timezoneField` is set.',
    ],
    parameters: {
      field: withDefault(fieldName, '@timestamp', { unnamed: true }),
      timezone: optional(timeZone),
      timezoneField: withDefault(fieldName, '@timezone'),
    },
    compile:
      ({ field, timezone, timezoneField }) =>
      (row) => {
        const epochMs = readNumber(row, field);
        if (epochMs === undefined || !isMoment(epochMs)) return undefined;
        const zone = timezone ?? timeZoneOrUtc(readField(row, timezoneField) ?? 'UTC');
        const local = new Date(epochMs + zone.offsetAt(epochMs));
        return Number.isNaN(local.getTime()) ? undefined : read(local);
      },
  }),
);

const DEFAULT_FORMAT = "yyyy-MM-dd'T'HH:mm:ss[.SSSSSSSSS]XXXXX";

const EPOCH_FORMATS: ReadonlyMap<string, EpochUnit> = new Map([
  ['millis', 'millis'],
  ['milliseconds', 'millis'],
  ['unixtimemillis', 'millis'],
  ['seconds', 'seconds'],
  ['unixtime', 'seconds'],
  ['unixtimeseconds', 'seconds'],
  ['nanos', 'nanos'],
]);

/**
 * Parses a timestamp in a given format. If the text has another format, sets `@error` and leaves the event unchanged.
 */
export const parseTimestamp = define.transform({
  name: 'parseTimestamp',
  uncertain: [
    'A fraction (SSS) may have fewer digits than the format if no other number is adjacent.',
    'An invalid date, such as February 30, is an error.',
    'A format without a time means midnight. A format without a date is an error.',
    '`<as>.nanos` is set if the time is more precise than a millisecond or if the event already has that field.',
    'Events without the field are unchanged.',
  ],
  parameters: {
    format: withDefault(text, DEFAULT_FORMAT, { unnamed: true }),
    field: required(fieldName),
    ...timestampParameters,
    caseSensitive: withDefault(flag, true),
  },
  compile(args, call) {
    const { field, format, as, timezoneAs } = args;
    const problem = `The field "${field}" contains no timestamp in the format ${format}.`;
    const lacksZone = `${problem} It has no time zone: set "timezone".`;
    const unit = EPOCH_FORMATS.get(format.toLowerCase());
    if (unit !== undefined)
      return fieldStep(field, [as, timezoneAs], (value, row) =>
        writeTimestamp(row, readEpoch(value, unit), args, problem),
      );
    const read = compilePattern(
      'format',
      (wrong) => call.fail(wrong, 'format'),
      () => compileTimestampPattern(format, { ignoreCase: !args.caseSensitive }),
    );
    return fieldStep(field, [as, timezoneAs], (value, row, run) => {
      const written: WrittenTime = {};
      const fits = read(value, 0, written) === value.length;
      const zone = givenZone(row, args) ?? written.zone;
      const instant = fits && zone !== undefined ? instantOf(written, zone, run) : undefined;
      writeTimestamp(row, instant, args, fits && zone === undefined ? lacksZone : problem);
    });
  },
});
