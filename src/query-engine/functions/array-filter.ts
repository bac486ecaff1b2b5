import { arrayName, elementCondition } from '../arrays/array-arguments.ts';
import { ElementFunction } from '../arrays/element-function.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineTransform, optional, required } from '../signature/function-spec.ts';

/** Keeps the elements that a filter accepts, and closes the gaps. */
export const arrayFilter = defineTransform({
  name: 'array:filter',
  uncertain: ['The result replaces all elements of an existing target array.'],
  parameters: {
    array: required(arrayName, { unnamed: true }),
    function: required(elementCondition('function')),
    var: optional(fieldName),
    asArray: optional(arrayName),
  },
  compile({ array, function: steps, var: variable, asArray = array }) {
    const accepts = new ElementFunction(steps, { array, variable });
    return editStep((row, run) => {
      const values = array.valuesIn(row);
      if (values.length === 0) return;
      const elements = accepts.begin(row, run);
      asArray.replace(
        row,
        values.filter((value) => elements.applyToValue(value) !== undefined),
      );
    }, unknownColumns);
  },
});
