import { arrayName } from '../arrays/array-arguments.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { defineTransform, required } from '../signature/function-spec.ts';

/** Gives an array another name, in place of the array that had it. An array without elements changes nothing. */
export const arrayRename = defineTransform({
  name: 'array:rename',
  uncertain: ['If the array is missing, an existing target array keeps its elements.'],
  parameters: { array: required(arrayName, { unnamed: true }), asArray: required(arrayName) },
  compile: ({ array, asArray }) =>
    editStep((row) => {
      const values = array.valuesIn(row);
      if (values.length === 0) return;
      array.clear(row);
      asArray.replace(row, values);
    }, unknownColumns),
});
