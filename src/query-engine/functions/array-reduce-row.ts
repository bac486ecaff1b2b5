import { arrayName } from '../arrays/array-arguments.ts';
import { elementRows } from '../arrays/element-rows.ts';
import { writeField } from '../event.ts';
import { withColumns } from '../operators/operator.ts';
import type { RunScope } from '../run/run-context.ts';
import { aggregates, fieldName } from '../signature/argument-types.ts';
import { defineTransform, optional, required } from '../signature/function-spec.ts';

/** An aggregate over the elements of an array, for each event by itself: `_avg` for `avg()`, `<as>._avg` with `as`. */
export const arrayReduceRow = defineTransform({
  name: 'array:reduceRow',
  uncertain: ['`as` is a prefix for the names of the output fields.'],
  parameters: {
    array: required(arrayName, { unnamed: true }),
    function: required(aggregates),
    var: required(fieldName),
    as: optional(fieldName),
  },
  compile({ array, function: aggregate, var: variable, as }) {
    const outputs = aggregate.columns([variable]) ?? [];
    const prefix = as === undefined ? '' : `${as}.`;
    return {
      effect: 'edits',
      open(run, emit) {
        // What the aggregate holds on to is gone with the event.
        const inner: RunScope = Object.assign(Object.create(run), { retain: undefined });
        return (row, stored) => {
          const accumulator = aggregate.open(inner);
          for (const element of elementRows(row, array, variable)) accumulator.push(element, stored);
          const [result = {}] = accumulator.rows();
          for (const [name, value] of Object.entries(result)) writeField(row, `${prefix}${name}`, value);
          emit(row, stored);
        };
      },
      columns: (before) =>
        withColumns(
          before,
          outputs.map((name) => `${prefix}${name}`),
        ),
    };
  },
});
