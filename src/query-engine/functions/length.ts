import { readField } from '../event.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';

/** How many UTF-16 units a field's value has. */
export const length = defineValue({
  name: 'length',
  output: '_length',
  parameters: { field: required(fieldName, { unnamed: true }), as: optional(fieldName) },
  compile:
    ({ field }) =>
    (row) =>
      readField(row, field)?.length,
});
