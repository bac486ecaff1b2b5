import { arrayName } from '../arrays/array-arguments.ts';
import { withoutBrackets } from '../arrays/array-fields.ts';
import { elementRows } from '../arrays/element-rows.ts';
import { rowInput } from '../columns/row-table.ts';
import { type Fields, writeField } from '../event.ts';
import { type Accumulator, allRows, type Columns } from '../operators/operator.ts';
import { rowAggregate } from '../operators/row-code.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import { aggregates, fieldName } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';

/**
 * An aggregate for each index of an array, over all events: `_reduceColumn[0]` for `avg()`. Where the aggregate makes
 * several rows, the n-th row of the result has the n-th of each index.
 */
export const arrayReduceColumn = defineAggregate({
  name: 'array:reduceColumn',
  uncertain: [
    'A single function with a default output name writes the element itself, such as `_reduceColumn[0]` for `avg(x)`. Other outputs are members of the element, such as `_reduceColumn[0].time` for `{ time := max(x) }`.',
  ],
  parameters: {
    array: required(arrayName, { unnamed: true }),
    function: required(aggregates),
    var: required(fieldName),
    as: withDefault(fieldName, '_reduceColumn'),
  },
  compile: ({ array, function: aggregate, var: variable, as }) =>
    rowAggregate({
      columns: () => undefined,
      open(run) {
        const name = withoutBrackets(as);
        const lone = loneOutput(aggregate.columns([variable]));
        const accumulators: Accumulator[] = [];
        const inputs: ((element: Fields) => void)[] = [];
        return {
          push(row) {
            for (const [index, element] of elementRows(row, array, variable).entries()) {
              if (index === accumulators.length) {
                const accumulator = aggregate.open(run);
                accumulators.push(accumulator);
                inputs.push(rowInput(accumulator));
                run.retain?.(groupBytes([]));
              }
              inputs[index]!(element);
            }
          },
          rows: () =>
            mergeColumns(accumulators.map(allRows), (index, output) =>
              output === lone ? `${name}[${index}]` : `${name}[${index}].${output}`,
            ),
        };
      },
    }),
});

/** The name that the only output has by default. Those that a query chooses don't begin like this, as a rule. */
function loneOutput(outputs: Columns): string | undefined {
  const [only, ...others] = outputs ?? [];
  return others.length === 0 && only?.startsWith('_') ? only : undefined;
}

function mergeColumns(
  columns: readonly (readonly Fields[])[],
  nameOf: (index: number, output: string) => string,
): Fields[] {
  const rows: Fields[] = [];
  for (const [index, column] of columns.entries()) {
    for (const [position, result] of column.entries()) {
      const row = rows[position] ?? {};
      rows[position] = row;
      for (const [output, value] of Object.entries(result)) writeField(row, nameOf(index, output), value);
    }
  }
  return rows;
}
