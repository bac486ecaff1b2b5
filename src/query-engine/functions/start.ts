import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional } from '../signature/function-spec.ts';

/** The start of the query's interval, in epoch milliseconds. */
export const start = defineValue({
  name: 'start',
  output: '_start',
  parameters: { as: optional(fieldName, { unnamed: true }) },
  compile: () => (_row, run) => run.start,
});
