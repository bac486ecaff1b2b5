import { arrayName, elementSteps } from '../arrays/array-arguments.ts';
import { readElements } from '../arrays/array-elements.ts';
import { ElementFunction } from '../arrays/element-function.ts';
import { checkObjectVariable } from '../arrays/object-variable.ts';
import { writeField } from '../event.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineTransform, optional, required } from '../signature/function-spec.ts';

/**
 * Makes an array of what the steps write to the field that is called like it, for each element of an array of
 * objects. A result has the index of its element, so that an element without one leaves a gap.
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
      const elements = readElements(row, array.name);
      if (elements.length === 0) return;
      const inner = apply.begin(row, run);
      asArray.clear(row);
      for (const [index, element] of elements.entries()) {
        const value = inner.applyToElement(element)?.output;
        if (value !== undefined) writeField(row, asArray.fieldAt(index), value);
      }
    }, unknownColumns);
  },
});
