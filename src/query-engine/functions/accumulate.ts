import { rowInput } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import { allRows, withColumns } from '../operators/operator.ts';
import { rowAggregate } from '../operators/row-code.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import { requireOrder, withResult } from '../sequences/sequence.ts';
import { aggregates, oneOf } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';

/** Adds to each row what an aggregate makes of all rows up to it, with or without the row itself. */
export const accumulate = defineAggregate({
  name: 'accumulate',
  parameters: {
    function: required(aggregates, { unnamed: true }),
    current: withDefault(oneOf('include', 'exclude'), 'include'),
  },
  compile({ function: inner, current }, call) {
    requireOrder('accumulate', call);
    return rowAggregate({
      columns: (before) => withColumns(before, inner.columns(before) ?? []),
      open(run) {
        const accumulator = inner.open(run);
        const push = rowInput(accumulator);
        const rows: Fields[] = [];
        return {
          push(row) {
            if (current === 'include') push(row);
            const result = withResult(row, allRows(accumulator), 'accumulate', run);
            run.retain?.(rowBytes(result));
            rows.push(result);
            if (current === 'exclude') push(row);
          },
          rows: () => [...rows],
        };
      },
    });
  },
});
