import { text } from '../argument-types.ts';
import { arrayName } from '../array-arguments.ts';
import { defineFilter, required } from '../function-spec.ts';

/** Keeps events of whose array an element is exactly this value. */
export const arrayContains = defineFilter({
  name: 'array:contains',
  parameters: { array: required(arrayName, { unnamed: true }), value: required(text) },
  compile: ({ array, value }) => ({ test: (row) => array.some(row, (element) => element === value) }),
});
