import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional } from '../signature/function-spec.ts';

/** When the query was submitted, in epoch milliseconds. */
export const now = defineValue({
  name: 'now',
  output: '_now',
  parameters: { as: optional(fieldName, { unnamed: true }) },
  compile: () => (_row, run) => run.now,
});
