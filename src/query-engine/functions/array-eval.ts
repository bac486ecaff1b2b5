import { arrayName, elementSteps } from '../arrays/array-arguments.ts';
import { ElementFunction } from '../arrays/element-function.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineTransform, optional, required } from '../signature/function-spec.ts';

/**
 * Makes an array of what the steps write to the field that is called like it, for each element of another array.
 * Elements for which they write nothing leave no gap.
 */
export const arrayEval = defineTransform({
  name: 'array:eval',
  parameters: {
    array: required(arrayName, { unnamed: true }),
    function: required(elementSteps('function')),
    var: optional(fieldName),
    asArray: optional(arrayName),
  },
  compile({ array, function: steps, var: variable, asArray = array }) {
    const { name: output } = asArray;
    const apply = new ElementFunction(steps, { array, variable, output });
    return editStep((row, run) => {
      const values = array.valuesIn(row);
      if (values.length === 0) return;
      const elements = apply.begin(row, run);
      const results: string[] = [];
      for (const value of values) {
        const result = elements.applyToValue(value)?.output;
        if (result !== undefined) results.push(result);
      }
      asArray.replace(row, results);
    }, unknownColumns);
  },
});
