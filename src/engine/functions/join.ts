import { type Preparation, preparedResult } from '../operators/preparation.ts';
import type { LookupTable } from '../query-library.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import type { RunScope } from '../run/run-context.ts';
import { fieldNames, flag, limit, oneOf } from '../signature/argument-types.ts';
import { define, optional, required, withDefault } from '../signature/function-spec.ts';
import { type SubQuery, subQueryTable } from '../tables/sub-query.ts';
import { placeParameters, requireRepository, subQuery } from '../tables/sub-query-arguments.ts';
import { includedColumns } from '../tables/table-argument.ts';
import { matchedRowsStep, TableMatch } from '../tables/table-match.ts';

interface JoinTableOptions {
  readonly source: SubQuery;
  readonly key: readonly string[];
  /** `undefined` for all fields. */
  readonly include: readonly string[] | undefined;
  readonly maxRows: number;
}

/** The rows of a join's subquery as a table in which later rows take precedence. */
function joinTable({ source, key, include, maxRows }: JoinTableOptions): Preparation {
  const columns = include && [...new Set([...key, ...include])];
  return {
    key: {},
    readsEvents: true,
    *compute(preparing) {
      const table = yield* subQueryTable(source, { columns, maxRows, owner: 'join' }, preparing);
      const rows = include === undefined ? table.rows : withEmptyCells(table, key);
      // Events are already sorted with the newest one last.
      return { headers: table.headers, rows: source.plan.isAggregate ? rows.toReversed() : rows };
    },
  };
}

/** Requested fields that a row lacks become empty strings; only the key is required. */
function withEmptyCells({ headers, rows }: LookupTable, key: readonly string[]): LookupTable['rows'] {
  const isKey = headers.map((name) => key.includes(name));
  return rows.map((row) => row.map((cell, index) => (isKey[index] ? cell : (cell ?? ''))));
}

const DEFAULT_ROWS = 100_000;

/**
 * Runs a subquery first and keeps events whose fields equal the key of one of its rows, with columns of that row.
 * `mode=left` also keeps the other events; `!join(…)` keeps only those.
 */
export const join = define.filter({
  name: 'join',
  parameters: {
    query: required(subQuery, { unnamed: true }),
    field: required(fieldNames),
    key: optional(fieldNames),
    include: withDefault(fieldNames, []),
    mode: withDefault(oneOf('inner', 'left'), 'inner'),
    max: withDefault(limit({ max: MAX_ROWS }), 1),
    limit: withDefault(limit({ max: MAX_ROWS }), DEFAULT_ROWS),
    ...placeParameters,
    live: optional(flag),
  },
  uncertain: [
    '`limit` and `max` keep the newest events of the subquery, or the first rows if it is an aggregate.',
    'In a live query, the subquery runs again with each run of the main query; `live` has no effect.',
    'With `mode=left`, an event without a match gets no columns.',
  ],
  compile(args, call) {
    const { query: plan, field: fields, key = fields, mode, max, start, end } = args;
    if (key.length !== fields.length) {
      call.fail(`"key" must name as many fields as "field" (${fields.length})`, 'key');
    }
    const include = includedColumns(args.include);
    const source = { plan, start, end, repository: requireRepository(args.view, call) };
    const preparation = joinTable({ source, key, include, maxRows: args.limit });
    call.scope.draft.preparations.push(preparation);
    const table = {
      name: 'join',
      headers: undefined,
      read: (run: RunScope) => preparedResult<LookupTable>(run, preparation.key),
    };
    const match = new TableMatch(table, { fields, columns: key, include, mode: 'string', ignoreCase: false });
    call.scope.draft.preparations.push(match);
    const isInner = mode === 'inner';
    const isFilter = isInner && include?.length === 0 && max === 1;
    return {
      test: (row, run) => match.open(run).index.last(row) !== -1,
      ...(!isFilter && {
        step: matchedRowsStep(match, { keepOthers: !isInner, maxRows: max, lastFirst: true }),
      }),
    };
  },
});
