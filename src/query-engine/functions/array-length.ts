import { fieldName } from '../argument-types.ts';
import { arrayName } from '../array-arguments.ts';
import { defineValue, optional, required } from '../function-spec.ts';

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
