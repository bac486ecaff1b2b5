import { isTrue } from '../columns/predicate.ts';
import { expression } from '../signature/argument-types.ts';
import { defineFilter, required } from '../signature/function-spec.ts';

/** Keeps events for which an expression is true; null counts as false. */
export const test = defineFilter({
  name: 'test',
  parameters: { expression: required(expression, { unnamed: true }) },
  compile: ({ expression: condition }) => ({ test: isTrue(condition) }),
});
