import { arrayName, elementSteps } from '../arrays/array-arguments.ts';
import { readSparseElements } from '../arrays/array-elements.ts';
import { ElementFunction } from '../arrays/element-function.ts';
import { checkObjectVariable } from '../arrays/object-variable.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineTransform, optional, required } from '../signature/function-spec.ts';

/**
 * Makes an array of what the steps write to the field with its name, for each element of an array of objects. Elements
 * without a result are skipped, and so are missing elements, so the output has no gaps.
 */
export const objectArrayEval = defineTransform({
  name: 'objectArray:eval',
  parameters: {
    array: required(arrayName, { unnamed: true }),
    asArray: required(arrayName),
    function: required(elementSteps('function')),
    var: optional(fieldName),
  },
  compile({ array, asArray, function: steps, var: variable }, call) {
    checkObjectVariable(variable, call);
    if (asArray.name === array.name) {
      call.fail(
        'objectArray:eval() can\'t overwrite the array that it reads: set "asArray" to another name',
        'asArray',
      );
    }
    const { name: output } = asArray;
    const apply = new ElementFunction(steps, { array, variable, output });
    return editStep((row, run) => {
      const elements = readSparseElements(row, array.name);
      if (elements.length === 0) return;
      const inner = apply.begin(row, run);
      const results: string[] = [];
      for (const element of elements) {
        const value = inner.applyToElement(element)?.output;
        if (value !== undefined) results.push(value);
      }
      asArray.replace(row, results);
    }, unknownColumns);
  },
});
