import { expression } from '../signature/argument-types.ts';
import { defineFilter, required } from '../signature/function-spec.ts';
import { toBoolean } from '../value.ts';

/** Keeps events for which an expression is true; null counts as false. */
export const test = defineFilter({
  name: 'test',
  parameters: { expression: required(expression, { unnamed: true }) },
  compile: ({ expression: evaluate }) => ({
    test: (row, stored, run) => toBoolean(evaluate(row, stored, run)) === true,
  }),
});
