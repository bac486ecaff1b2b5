import { computed } from '../columns/expression.ts';
import { expressions, fieldName, flag } from '../signature/argument-types.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';

/** The first value that isn't null, nor, usually, empty. */
export const coalesce = defineValue({
  name: 'coalesce',
  output: '_coalesce',
  parameters: {
    expressions: required(expressions, { unnamed: true }),
    as: optional(fieldName),
    ignoreEmpty: withDefault(flag, true),
  },
  compile: ({ expressions: candidates, ignoreEmpty }) =>
    computed(candidates, (...values) =>
      values.find((value) => value !== undefined && !(ignoreEmpty && value === '')),
    ),
});
