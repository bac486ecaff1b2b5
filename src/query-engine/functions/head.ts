import { limit } from '../argument-types.ts';
import type { Fields } from '../event.ts';
import { defineAggregate, withDefault } from '../function-spec.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../row-limits.ts';

/** The oldest events, the oldest first; of a result, the first rows. */
export const head = defineAggregate({
  name: 'head',
  parameters: { limit: withDefault(limit({ max: MAX_ROWS }), DEFAULT_ROWS, { unnamed: true }) },
  compile: ({ limit: maxRows }) => ({
    columns: (before) => before,
    open() {
      const rows: Fields[] = [];
      return {
        push(row) {
          if (rows.length < maxRows) rows.push(row);
        },
        rows: () => [...rows],
      };
    },
  }),
});
