import { arrayName } from '../arrays/array-arguments.ts';
import { elementRows } from '../arrays/element-rows.ts';
import { rowInput } from '../columns/row-table.ts';
import { writeField } from '../event.ts';
import { allRows, withColumns } from '../operators/operator.ts';
import { rowStep } from '../operators/row-code.ts';
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
    return rowStep(
      (run, emit) => {
        // What the aggregate holds on to is gone with the event.
        const inner: RunScope = Object.assign(Object.create(run), { retain: undefined });
        return (row) => {
          const accumulator = aggregate.open(inner);
          elementRows(row, array, variable).forEach(rowInput(accumulator));
          const [result = {}] = allRows(accumulator);
          for (const [name, value] of Object.entries(result)) writeField(row, `${prefix}${name}`, value);
          emit(row);
        };
      },
      (before) =>
        withColumns(
          before,
          outputs.map((name) => `${prefix}${name}`),
        ),
    );
  },
});
