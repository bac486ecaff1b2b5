import { arrayName } from '../arrays/array-arguments.ts';
import { elementRows } from '../arrays/element-rows.ts';
import { rowInput } from '../columns/row-table.ts';
import { writeField } from '../event.ts';
import { allRows, withColumns } from '../operators/operator.ts';
import { rowStep } from '../operators/row-code.ts';
import type { RunScope } from '../run/run-context.ts';
import { aggregates, fieldName } from '../signature/argument-types.ts';
import { defineTransform, required, withDefault } from '../signature/function-spec.ts';

/** An aggregate over the elements of an array, for each event by itself: `_reduceRow._avg` for `avg()`. */
export const arrayReduceRow = defineTransform({
  name: 'array:reduceRow',
  parameters: {
    array: required(arrayName, { unnamed: true }),
    function: required(aggregates),
    var: required(fieldName),
    as: withDefault(fieldName, '_reduceRow'),
  },
  compile({ array, function: aggregate, var: variable, as }) {
    const outputs = aggregate.columns([variable]) ?? [];
    return rowStep(
      (run, emit) => {
        // What the aggregate holds on to is gone with the event.
        const inner: RunScope = Object.assign(Object.create(run), { retain: undefined });
        return (row) => {
          const accumulator = aggregate.open(inner);
          elementRows(row, array, variable).forEach(rowInput(accumulator));
          const [result = {}] = allRows(accumulator);
          for (const [name, value] of Object.entries(result)) writeField(row, `${as}.${name}`, value);
          emit(row);
        };
      },
      (before) =>
        withColumns(
          before,
          outputs.map((name) => `${as}.${name}`),
        ),
    );
  },
});
