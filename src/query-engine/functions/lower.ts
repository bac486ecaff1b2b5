import { fieldName, locale } from '../argument-types.ts';
import { readField } from '../event.ts';
import { defineValue, optional, required } from '../function-spec.ts';

/** The value of a field in lower case. */
export const lower = defineValue({
  name: 'lower',
  output: '_lower',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    as: optional(fieldName),
    locale: optional(locale),
  },
  compile:
    ({ field, locale: language }) =>
    (row) =>
      readField(row, field)?.toLocaleLowerCase(language ?? 'en'),
});
