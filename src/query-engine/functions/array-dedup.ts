import { arrayName } from '../arrays/array-arguments.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { defineTransform, optional, required } from '../signature/function-spec.ts';

/** Keeps the first of equal elements. An array that the result is written over is gone as a whole. */
export const arrayDedup = defineTransform({
  name: 'array:dedup',
  uncertain: ['The result replaces all elements of an existing target array.'],
  parameters: { array: required(arrayName, { unnamed: true }), asArray: optional(arrayName) },
  compile: ({ array, asArray = array }) =>
    editStep((row) => {
      const values = array.valuesIn(row);
      if (values.length > 0) asArray.replace(row, [...new Set(values)]);
    }, unknownColumns),
});
