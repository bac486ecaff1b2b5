import { arrayName } from '../arrays/array-arguments.ts';
import { elementRows } from '../arrays/element-rows.ts';
import { rowInput } from '../columns/row-table.ts';
import { withColumns } from '../operators/operator.ts';
import { rowAggregate } from '../operators/row-code.ts';
import { aggregates, fieldName } from '../signature/argument-types.ts';
import { defineAggregate, required } from '../signature/function-spec.ts';

/** An aggregate over all elements of an array in all events. Each element comes with the other fields of its event. */
export const arrayReduceAll = defineAggregate({
  name: 'array:reduceAll',
  uncertain: [
    'The aggregate sees each element together with the other fields of its event, except the array itself.',
  ],
  parameters: {
    array: required(arrayName, { unnamed: true }),
    function: required(aggregates),
    var: required(fieldName),
  },
  compile: ({ array, function: aggregate, var: variable }) =>
    rowAggregate({
      columns: (before) => aggregate.columns(withColumns(before, [variable])),
      open(run) {
        const accumulator = aggregate.open(run);
        const push = rowInput(accumulator);
        return {
          push(row) {
            for (const element of elementRows(row, array, variable)) push(element);
          },
          rows: () => accumulator.rows(),
        };
      },
    }),
});
