import { arrayName } from '../arrays/array-arguments.ts';
import { withoutBrackets } from '../arrays/array-fields.ts';
import { elementRows } from '../arrays/element-rows.ts';
import { type Fields, writeField } from '../event.ts';
import type { Accumulator } from '../operators/operator.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import { aggregates, fieldName } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';

/**
 * An aggregate for each index of an array, over all events: `_reduceColumn[0]._avg` for `avg()`. Where the aggregate
 * makes several rows, the n-th row of the result has the n-th of each index.
 */
export const arrayReduceColumn = defineAggregate({
  name: 'array:reduceColumn',
  uncertain: [
    'The fields of the result are called after the outputs of the function: _reduceColumn[0]._avg for avg().',
  ],
  parameters: {
    array: required(arrayName, { unnamed: true }),
    function: required(aggregates),
    var: required(fieldName),
    as: withDefault(fieldName, '_reduceColumn'),
  },
  compile: ({ array, function: aggregate, var: variable, as }) => ({
    columns: () => undefined,
    open(run) {
      const accumulators: Accumulator[] = [];
      return {
        push(row, stored) {
          for (const [index, element] of elementRows(row, array, variable).entries()) {
            let accumulator = accumulators[index];
            if (accumulator === undefined) {
              accumulator = aggregate.open(run);
              accumulators.push(accumulator);
              run.retain?.(groupBytes([]));
            }
            accumulator.push(element, stored);
          }
        },
        rows: () =>
          mergeColumns(
            accumulators.map((accumulator) => accumulator.rows()),
            withoutBrackets(as),
          ),
      };
    },
  }),
});

function mergeColumns(columns: readonly (readonly Fields[])[], as: string): Fields[] {
  const rows: Fields[] = [];
  for (const [index, column] of columns.entries()) {
    for (const [position, result] of column.entries()) {
      const row = rows[position] ?? {};
      rows[position] = row;
      for (const [name, value] of Object.entries(result)) writeField(row, `${as}[${index}].${name}`, value);
    }
  }
  return rows;
}
