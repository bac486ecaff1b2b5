import { RowsByTime } from '../aggregates/rows-by-time.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../run/row-limits.ts';
import { limit } from '../signature/argument-types.ts';
import { defineAggregate, withDefault } from '../signature/function-spec.ts';

/** The newest events by `@timestamp`, the newest first. Of rows without a time, the last ones. */
export const tail = defineAggregate({
  name: 'tail',
  parameters: { limit: withDefault(limit({ max: MAX_ROWS }), DEFAULT_ROWS, { unnamed: true }) },
  uncertain: ['The newest event is the first row.'],
  compile: ({ limit: maxRows }) => ({
    columns: (before) => before,
    open(run) {
      const newest = new RowsByTime('newest', maxRows);
      return {
        from: (table) => newest.from(table, (row) => run.retain?.(rowBytes(row))),
        *rows() {
          return (yield* newest.oldestFirst()).reverse();
        },
      };
    },
  }),
});
