import { fieldStep } from '../operators/row-code.ts';
import { compilePattern } from '../pattern-error.ts';
import { fieldName, flag, text } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { define, required, withDefault } from '../signature/function-spec.ts';
import {
  type Clock,
  type EpochUnit,
  instantOf,
  readEpoch,
  UTC,
  type WrittenTime,
  type WrittenZone,
} from '../time/written-time.ts';
import {
  givenZone,
  timestampParameters,
  writeTimestamp,
  type ZonedInstant,
} from '../timestamps/timestamp-fields.ts';
import { compileTimestampPattern } from '../timestamps/timestamp-pattern.ts';

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
    const read = compileFormat(args, call);
    const problem = `The field "${field}" contains no timestamp in the format ${format}.`;
    const lacksZone = `${problem} It has no time zone: set "timezone".`;
    return fieldStep(field, [as, timezoneAs], (value, row, run) => {
      const instant = read(value, givenZone(row, args), run);
      if (instant === 'no zone') writeTimestamp(row, undefined, args, lacksZone);
      else writeTimestamp(row, instant, args, problem);
    });
  },
});

type Read = (
  text: string,
  zone: WrittenZone | undefined,
  clock: Clock,
) => ZonedInstant | 'no zone' | undefined;

function compileFormat(
  { format, caseSensitive }: { format: string; caseSensitive: boolean },
  call: CallSite,
): Read {
  const unit = EPOCH_FORMATS.get(format.toLowerCase());
  if (unit !== undefined) {
    return (value) => {
      const instant = readEpoch(value, unit);
      return instant && { ...instant, zone: UTC };
    };
  }
  const read = compilePattern(
    'format',
    (problem) => call.fail(problem, 'format'),
    () => compileTimestampPattern(format, { ignoreCase: !caseSensitive }),
  );
  return (value, fixedZone, clock) => {
    const written: WrittenTime = {};
    if (read(value, 0, written) !== value.length) return undefined;
    const zone = fixedZone ?? written.zone;
    if (zone === undefined) return 'no zone';
    const instant = instantOf(written, zone.zone, clock);
    return instant && { ...instant, zone };
  };
}
