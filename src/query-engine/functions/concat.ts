import { readField } from '../event.ts';
import { fieldName, fieldNames } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';
import { joinTexts } from '../text/text-limit.ts';

/** The values of fields, one after the other. Missing fields are skipped. */
export const concat = defineValue({
  name: 'concat',
  uncertain: ['Missing fields are skipped.'],
  output: '_concat',
  parameters: { field: required(fieldNames, { unnamed: true }), as: optional(fieldName) },
  compile:
    ({ field }) =>
    (row) =>
      joinTexts(field.map((name) => readField(row, name) ?? '')),
});
