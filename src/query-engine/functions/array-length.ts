import { arrayName } from '../arrays/array-arguments.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';

/** How many elements an array has up to its first gap; 0 for what is no array. */
export const arrayLength = defineValue({
  name: 'array:length',
  output: '_length',
  parameters: { array: required(arrayName, { unnamed: true }), as: optional(fieldName) },
  compile:
    ({ array }) =>
    (row) =>
      array.lengthIn(row),
});
