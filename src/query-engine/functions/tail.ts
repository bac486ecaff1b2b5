import { limit } from '../argument-types.ts';
import { defineAggregate, withDefault } from '../function-spec.ts';
import { ROW_BYTES } from '../memory-estimate.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../row-limits.ts';
import { RowsByTime } from '../rows-by-time.ts';

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
        push: (row) => {
          if (newest.push(row)) run.retain?.(ROW_BYTES);
        },
        rows: () => newest.oldestFirst().reverse(),
      };
    },
  }),
});
