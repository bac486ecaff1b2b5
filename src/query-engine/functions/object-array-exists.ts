import { arrayName, elementCondition } from '../arrays/array-arguments.ts';
import { readElements } from '../arrays/array-elements.ts';
import { ElementFunction } from '../arrays/element-function.ts';
import { checkObjectVariable } from '../arrays/object-variable.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineFilter, optional, required } from '../signature/function-spec.ts';

/** Keeps events of whose array of objects an element fulfills a condition: `x.key` is a member of the element `x`. */
export const objectArrayExists = defineFilter({
  name: 'objectArray:exists',
  parameters: {
    array: required(arrayName, { unnamed: true }),
    condition: required(elementCondition('condition')),
    var: optional(fieldName),
  },
  compile({ array, condition, var: variable }, call) {
    checkObjectVariable(variable, call);
    const accepts = new ElementFunction(condition, { array, variable });
    return {
      test(row, run) {
        const elements = readElements(row, array.name);
        if (elements.length === 0) return false;
        const inner = accepts.begin(row, run);
        return elements.some((element) => inner.applyToElement(element) !== undefined);
      },
    };
  },
});
