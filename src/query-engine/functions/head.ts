import { RowsByTime } from '../aggregates/rows-by-time.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../run/row-limits.ts';
import { limit } from '../signature/argument-types.ts';
import { defineAggregate, withDefault } from '../signature/function-spec.ts';

/** The oldest events by `@timestamp`, the oldest first. Of rows without a time, the first ones. */
export const head = defineAggregate({
  name: 'head',
  parameters: { limit: withDefault(limit({ max: MAX_ROWS }), DEFAULT_ROWS, { unnamed: true }) },
  uncertain: ['A row without `@timestamp` gets the time of the preceding row.'],
  compile: ({ limit: maxRows }) => ({
    columns: (before) => before,
    open(run) {
      const oldest = new RowsByTime('oldest', maxRows);
      return {
        from: (table) => oldest.from(table, (row) => run.retain?.(rowBytes(row))),
        rows: () => oldest.oldestFirst(),
      };
    },
  }),
});
