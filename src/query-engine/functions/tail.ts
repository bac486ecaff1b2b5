import { limit } from '../argument-types.ts';
import { defineAggregate, withDefault } from '../function-spec.ts';
import { NewestRows } from '../operators/newest-rows.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../row-limits.ts';

/** The newest events, the newest first; of a result, the last rows, the last first. */
export const tail = defineAggregate({
  name: 'tail',
  parameters: { limit: withDefault(limit({ max: MAX_ROWS }), DEFAULT_ROWS, { unnamed: true }) },
  compile: ({ limit: maxRows }) => ({
    columns: (before) => before,
    open() {
      const newest = new NewestRows(maxRows);
      return {
        push: (row) => newest.push(row),
        rows: () => newest.newestFirst(),
      };
    },
  }),
});
