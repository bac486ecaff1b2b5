import { readField } from '../event.ts';
import { fieldName, locale, oneOf, text, timeZone } from '../signature/argument-types.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { isMoment } from '../time/epoch-range.ts';
import { compileTimeFormat, unknownTimeLetter } from '../time/time-text.ts';
import { timeZoneOrUtc } from '../time/time-zone.ts';
import { parseNumber } from '../value.ts';

/** Up to here an epoch time without a unit is taken for seconds. */
const MAX_SECONDS = 100_000_000_000;

/** Writes a time as text. */
export const formatTime = defineValue({
  name: 'formatTime',
  partial: ['`%N` has millisecond precision.'],
  uncertain: ['Fractions of a millisecond are truncated.', '`%Z` prints Z for UTC.'],
  output: undefined,
  parameters: {
    format: required(text, { unnamed: true }),
    field: withDefault(fieldName, '@timestamp'),
    as: optional(fieldName),
    timezone: withDefault(timeZone, timeZoneOrUtc('UTC')),
    locale: withDefault(locale, 'en-US'),
    unit: withDefault(oneOf('auto', 'seconds', 'milliseconds'), 'auto'),
  },
  compile(args, call) {
    const { field, timezone, unit } = args;
    const unknown = unknownTimeLetter(args.format);
    if (unknown !== undefined) call.fail(`formatTime() does not support %${unknown}`, 'format');
    const format = compileTimeFormat(args.format, args.locale);
    return (row) => {
      const value = readField(row, field);
      const number = value === undefined ? undefined : parseNumber(value);
      if (number === undefined) return undefined;
      const isSeconds = unit === 'seconds' || (unit === 'auto' && Math.abs(number) <= MAX_SECONDS);
      const epochMs = Math.trunc(isSeconds ? number * 1000 : number);
      return isMoment(epochMs) ? format(epochMs, timezone) : undefined;
    };
  },
});
