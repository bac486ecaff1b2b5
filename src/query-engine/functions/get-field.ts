import { readField } from '../event.ts';
import { expression, fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';
import { toText } from '../value.ts';

/** The field whose name an expression gives. */
export const getField = defineValue({
  name: 'getField',
  readsOtherFields: true,
  output: '_getField',
  parameters: { source: required(expression, { unnamed: true }), as: optional(fieldName) },
  compile:
    ({ source }) =>
    (row, stored, run) => {
      const name = toText(source(row, stored, run));
      return name === undefined ? undefined : readField(row, name);
    },
});
