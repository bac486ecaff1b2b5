import { readField } from '../event.ts';
import { fieldName, fieldNames, text, timeZone } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { compileTextFormat, TextFormatError } from '../text/text-format.ts';
import { timeZoneOrUtc } from '../time/time-zone.ts';

/** Writes fields into a text, as `printf` does. */
export const format = defineValue({
  name: 'format',
  uncertain: [
    'A missing field prints as null, even with %s.',
    'An integer with more than 1,000 digits is not treated as a number.',
  ],
  output: '_format',
  parameters: {
    format: required(text, { unnamed: true }),
    field: required(fieldNames),
    as: optional(fieldName),
    timezone: withDefault(timeZone, timeZoneOrUtc('UTC')),
  },
  compile(args, call) {
    const { field, timezone } = args;
    const write = compileFormatArgument(args.format, call);
    return (row) =>
      write(
        field.map((name) => readField(row, name)),
        timezone,
      );
  },
});

function compileFormatArgument(source: string, call: CallSite) {
  try {
    return compileTextFormat(source);
  } catch (error) {
    if (error instanceof TextFormatError) return call.fail(`Invalid format: ${error.message}`, 'format');
    throw error;
  }
}
