import { readField } from '../event.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineTransform, withDefault } from '../signature/function-spec.ts';
import { givenZone, timestampParameters, writeTimestamp } from '../time/timestamp-fields.ts';
import { findTimestampIn } from '../time/timestamp-finder.ts';

/** Finds a timestamp of a common form in the first 128 characters of a field. */
export const findTimestamp = defineTransform({
  name: 'findTimestamp',
  uncertain: [
    'Timestamps without a time zone are read as UTC unless `timezone` or `timezoneField` is set.',
    '06/07/2023 means June 7.',
    'Numbers that start with 1 are epoch times: 10 digits mean seconds, 13 milliseconds, 16 microseconds and 19 nanoseconds.',
    'The first timestamp with a date is used. Without one, the first time of day is used: today, or yesterday if that is in the future.',
  ],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    ...timestampParameters,
  },
  compile(args) {
    const { field, as, timezoneAs } = args;
    const problem = `The field "${field}" contains no timestamp in a known format.`;
    return editStep(
      (row, run) => {
        const value = readField(row, field);
        if (value === undefined) return;
        const found = findTimestampIn(value, { zone: givenZone(row, args), clock: run });
        writeTimestamp(row, found, args, problem);
      },
      (before) => withColumns(before, [as, timezoneAs]),
    );
  },
});
