import { readField } from '../event.ts';
import { editStep } from '../operators/edit.ts';
import { withColumns } from '../operators/operator.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineTransform, withDefault } from '../signature/function-spec.ts';
import { givenZone, timestampParameters, writeTimestamp } from '../time/timestamp-fields.ts';
import { findTimestampIn } from '../time/timestamp-finder.ts';

/** Finds a timestamp of a common form in the first 128 characters of a field. */
export const findTimestamp = defineTransform({
  name: 'findTimestamp',
  uncertain: [
    'A timestamp without a time zone is in UTC, unless "timezone" or "timezoneField" says otherwise.',
    '06/07/2023 is 7 June.',
    'Ten digits that begin with 1 are seconds since 1970; 13, 16 and 19 are milli-, micro- and nanoseconds.',
    'The first timestamp in the text counts.',
  ],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    ...timestampParameters,
  },
  compile(args) {
    const { field, as, timezoneAs } = args;
    const problem = `The field "${field}" holds no timestamp that is known here.`;
    return editStep(
      (row, _stored, run) => {
        const value = readField(row, field);
        if (value === undefined) return;
        const found = findTimestampIn(value, { zone: givenZone(row, args), clock: run });
        writeTimestamp(row, found, args, problem);
      },
      (before) => withColumns(before, [as, timezoneAs]),
    );
  },
});
