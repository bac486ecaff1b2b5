import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional } from '../signature/function-spec.ts';

/** The end of the query's interval, in epoch milliseconds. */
export const end = defineValue({
  name: 'end',
  output: '_end',
  parameters: { as: optional(fieldName, { unnamed: true }) },
  compile: () => (_row, run) => run.end,
});
