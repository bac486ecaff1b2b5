import { computed } from '../columns/expression.ts';
import { expression, fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';
import { toBoolean } from '../value.ts';

/** One of two values. A null condition counts as false. */
export const ifFunction = defineValue({
  name: 'if',
  uncertain: ['A null condition counts as false.'],
  output: '_if',
  parameters: {
    condition: required(expression, { unnamed: true }),
    // biome-ignore lint/suspicious/noThenProperty: the language calls it so, and nothing awaits a parameter list.
    then: required(expression),
    else: required(expression),
    as: optional(fieldName),
  },
  compile(args) {
    const { condition, then: whenTrue, else: otherwise } = args;
    return computed([condition, whenTrue, otherwise], (isMet, yes, no) =>
      toBoolean(isMet) === true ? yes : no,
    );
  },
});
