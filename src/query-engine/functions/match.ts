import { matchedRowsStep } from '../operators/matched-rows.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import { flag, limit, oneOf } from '../signature/argument-types.ts';
import { defineFilter, withDefault } from '../signature/function-spec.ts';
import { requireTableMatch, tableMatchParameters } from '../tables/table-match-arguments.ts';

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
    nrows: withDefault(limit({ max: MAX_ROWS }), 1),
    /** The old way to write `mode=glob`. */
    glob: withDefault(flag, false),
  },
  uncertain: [
    'When several rows match, nrows=n gives the last n of them, in the order of the file, as one event each.',
    'With mode=cidr, only the row with the smallest subnet counts.',
    'A name means a table of defineTable() before it means a lookup file, in "file" as in "table".',
  ],
  compile({ mode, glob, nrows, strict, ...args }, call) {
    const used = glob ? 'glob' : mode;
    if (glob && call.has('mode'))
      call.fail('match() takes either "mode" or the old "glob", not both', 'glob');
    if (used === 'cidr' && args.field.length > 1) {
      call.fail('match() with mode=cidr compares one field with one column', 'field');
    }
    if (used === 'cidr' && nrows > 1) {
      call.fail('match() with mode=cidr gives only the row with the smallest subnet', 'nrows');
    }
    const tableMatch = requireTableMatch(args, used, call);
    const isFilter = strict && tableMatch.outputs?.length === 0 && nrows === 1;
    return {
      // Alone, it only serves the negation, for which it makes no difference which events are kept besides.
      test: (row, _stored, run) => tableMatch.open(run).index.last(row) !== -1,
      ...(!isFilter && {
        step: matchedRowsStep(tableMatch, { keepOthers: !strict, maxRows: nrows, lastFirst: false }),
      }),
    };
  },
});
