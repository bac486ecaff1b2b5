import { arrayName } from '../arrays/array-arguments.ts';
import { text } from '../signature/argument-types.ts';
import { defineFilter, required } from '../signature/function-spec.ts';

/** Keeps events of whose array an element is exactly this value. */
export const arrayContains = defineFilter({
  name: 'array:contains',
  parameters: { array: required(arrayName, { unnamed: true }), value: required(text) },
  compile: ({ array, value }) => ({ test: (row) => array.some(row, (element) => element === value) }),
});
