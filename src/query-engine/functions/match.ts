import { flag, limit, oneOf } from '../signature/argument-types.ts';
import { defineFilter, withDefault } from '../signature/function-spec.ts';
import { matchedRowsStep } from '../tables/matched-rows.ts';
import {
  MAX_MATCHED_ROWS,
  requireTableMatch,
  tableMatchParameters,
} from '../tables/table-match-arguments.ts';

/**
 * Keeps events whose fields match a row of a lookup file or of a table of the query, and gives them its columns; with
 * `strict=false` it keeps the others, too. Of several rows that match the last ones count, with `mode=cidr` the one
 * with the smallest subnet.
 */
export const match = defineFilter({
  name: 'match',
  parameters: {
    ...tableMatchParameters,
    mode: withDefault(oneOf('string', 'glob', 'cidr'), 'string'),
    nrows: withDefault(limit({ max: MAX_MATCHED_ROWS }), 1),
    /** The old way to write `mode=glob`. */
    glob: withDefault(flag, false),
  },
  uncertain: [
    'If several rows match, `nrows=n` produces one event for each of the last n rows, in file order.',
    'With `mode=cidr`, only the row with the smallest subnet matches.',
    'In both `file` and `table`, a `defineTable()` table takes precedence over a lookup file with the same name.',
  ],
  compile({ mode, glob, nrows, strict, ...args }, call) {
    const used = glob ? 'glob' : mode;
    if (glob && call.has('mode'))
      call.fail(`"mode" and the older "glob" of match() can't be combined`, 'glob');
    if (used === 'cidr' && args.field.length > 1) {
      call.fail('match() with mode=cidr compares one field with one column', 'field');
    }
    if (used === 'cidr' && nrows > 1) {
      call.fail('match() with mode=cidr returns only the row with the smallest subnet', 'nrows');
    }
    const tableMatch = requireTableMatch(args, used, call);
    const isFilter = strict && tableMatch.outputs?.length === 0 && nrows === 1;
    return {
      // Alone, it only serves the negation, for which it makes no difference which events are kept besides.
      test: (row, run) => tableMatch.isMissing || tableMatch.open(run).index.last(row) !== -1,
      ...(!isFilter && {
        step: matchedRowsStep(tableMatch, {
          keepOthers: !strict || tableMatch.isMissing,
          maxRows: nrows,
          lastFirst: false,
        }),
      }),
    };
  },
});
