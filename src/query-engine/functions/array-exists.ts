import { arrayName, elementCondition } from '../arrays/array-arguments.ts';
import { ElementFunction } from '../arrays/element-function.ts';
import { readField } from '../event.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineFilter, optional, required } from '../signature/function-spec.ts';

/** Keeps events of whose array an element fulfills a condition, in which the other fields can be used, too. */
export const arrayExists = defineFilter({
  name: 'array:exists',
  parameters: {
    array: required(arrayName, { unnamed: true }),
    condition: required(elementCondition('condition')),
    var: optional(fieldName),
  },
  compile({ array, condition, var: variable }) {
    const accepts = new ElementFunction(condition, { array, variable });
    return {
      test(row, run) {
        if (readField(row, array.fieldAt(0)) === undefined) return false;
        const elements = accepts.begin(row, run);
        return array.some(row, (value) => elements.applyToValue(value) !== undefined);
      },
    };
  },
});
