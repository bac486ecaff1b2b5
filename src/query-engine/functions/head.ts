import { limit } from '../argument-types.ts';
import { defineAggregate, withDefault } from '../function-spec.ts';
import { ROW_BYTES } from '../memory-estimate.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../row-limits.ts';
import { RowsByTime } from '../rows-by-time.ts';

/** The oldest events by `@timestamp`, the oldest first. Of rows without a time, the first ones. */
export const head = defineAggregate({
  name: 'head',
  parameters: { limit: withDefault(limit({ max: MAX_ROWS }), DEFAULT_ROWS, { unnamed: true }) },
  uncertain: ['Rows without @timestamp count as being of the time of the row before them.'],
  compile: ({ limit: maxRows }) => ({
    columns: (before) => before,
    open(run) {
      const oldest = new RowsByTime('oldest', maxRows);
      return {
        push: (row) => {
          if (oldest.push(row)) run.retain?.(ROW_BYTES);
        },
        rows: () => oldest.oldestFirst(),
      };
    },
  }),
});
