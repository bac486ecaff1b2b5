import { withoutBrackets } from '../arrays/array-fields.ts';
import type { Fields } from '../event.ts';
import { allColumns } from '../operators/operator.ts';
import { preparedResult } from '../operators/preparation.ts';
import { collectRows } from '../operators/row-buffer.ts';
import { rowAggregate, rowStep, unknownColumns } from '../operators/row-code.ts';
import type { LookupTable } from '../query-library.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import type { RowSource } from '../run/sliced-sort.ts';
import { fieldNames, flag, limit, listOf, oneOf, tableName, text } from '../signature/argument-types.ts';
import { define, optional, required, unnamed, withDefault } from '../signature/function-spec.ts';
import { subQueryTable } from '../tables/sub-query.ts';
import { placeParameters, requireRepository, subQuery } from '../tables/sub-query-arguments.ts';
import { includedColumns, requireColumns, requireTable } from '../tables/table-argument.ts';
import {
  MAX_MATCHED_ROWS,
  matchedRowsStep,
  requireTableMatch,
  tableMatchParameters,
  writeColumns,
} from '../tables/table-match.ts';

const MAX_TABLES = 10;

/**
 * Runs a subquery first and keeps columns of its rows as a table for `match` and `readFile`. Rows of an aggregate keep
 * their order; events are sorted from oldest to newest.
 */
export const defineTable = define.definition({
  name: 'defineTable',
  parameters: {
    query: unnamed(subQuery),
    name: required(tableName),
    include: required(fieldNames),
    ...placeParameters,
  },
  partial: [
    `A table holds at most ${MAX_ROWS / 1000},000 rows: the newest events or the first rows of an aggregate.`,
  ],
  uncertain: [
    '`view` does not affect lookup files and saved queries: they come from the repository of the main query.',
  ],
  compile({ query: plan, name, include, start, end, view }, call) {
    const { draft } = call.scope;
    if (draft.stage === 'steps') call.fail('defineTable() must come before all other steps of the query');
    draft.stage = 'tables';
    if (draft.tables.has(name)) call.fail(`The table "${name}" is already defined`, 'name');
    if (draft.tables.size >= MAX_TABLES) call.fail(`A query can have at most ${MAX_TABLES} tables`);
    const columns = includedColumns(include);
    const source = { plan, start, end, repository: requireRepository(view, call) };
    const key = {};
    draft.preparations.push({
      key,
      readsEvents: true,
      compute: (preparing) =>
        subQueryTable(source, { columns, maxRows: MAX_ROWS, owner: 'defineTable' }, preparing),
    });
    draft.tables.set(name, { headers: columns, read: (run) => preparedResult<LookupTable>(run, key) });
  },
});

/**
 * Keeps events whose fields match a row of a lookup file or a table, and adds its columns. `strict=false` also keeps
 * the other events. Of several matching rows, the last one is used; with `mode=cidr`, the one with the smallest subnet.
 */
export const match = define.filter({
  name: 'match',
  parameters: {
    ...tableMatchParameters,
    mode: withDefault(oneOf('string', 'glob', 'cidr'), 'string'),
    nrows: withDefault(limit({ max: MAX_MATCHED_ROWS }), 1),
    /** Deprecated form of `mode=glob`. */
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
      // As a condition, it only serves the negation, which keeps the same events with and without `strict`.
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

/**
 * Adds all matching rows of a table as an array of objects: `rows[0].column`, `rows[1].column`. The last `nrows` rows
 * in the order of the table.
 */
export const matchAsArray = define.transform({
  name: 'matchAsArray',
  parameters: {
    ...tableMatchParameters,
    nrows: required(limit({ max: MAX_MATCHED_ROWS })),
    asArray: withDefault(text, '_matchAsArray', { aliases: ['as'] }),
  },
  uncertain: ['Without `asArray`, the array is named `_matchAsArray`.'],
  compile({ nrows, asArray, strict, ...args }, call) {
    const match = requireTableMatch(args, 'string', call);
    const array = withoutBrackets(asArray);
    const keepOthers = !strict || match.isMissing;
    return rowStep((run, emit) => {
      const { index, included, rows } = match.open(run);
      return (row) => {
        const numbers = index.lastOnes(row, nrows).toReversed();
        if (numbers.length === 0 && !keepOthers) return;
        for (const [element, number] of numbers.entries()) {
          writeColumns(row, rows[number]!, included, `${array}[${element}].`);
        }
        emit(row);
      };
    }, unknownColumns);
  },
});

const { strict: _, ignoreCase: __, ...common } = tableMatchParameters;
const parameters = { ...common, field: required(fieldNames, { aliases: ['on'] }) };

/** Deprecated form of `match(strict=false)`: adds the columns of the matching row and keeps all events. */
export const lookup = define.transform({
  name: 'lookup',
  parameters,
  compile: (args, call) =>
    matchedRowsStep(requireTableMatch({ ...args, ignoreCase: false }, 'string', call), {
      keepOthers: true,
      maxRows: 1,
      lastFirst: false,
    }),
});

/** More rows than any lookup file has. */
const MAX_FILE_ROWS = 100_000_000;

/** Replaces all events with the rows of lookup files or tables, one file after the other. */
export const readFile = define.aggregate({
  name: 'readFile',
  parameters: {
    file: unnamed(listOf(tableName), ['table']),
    include: withDefault(fieldNames, ['*']),
    limit: optional(limit({ max: MAX_FILE_ROWS })),
  },
  uncertain: ['Without `limit`, all rows are returned. A limit applies to all files combined.'],
  compile({ file: names, include, limit: maxRows = Number.POSITIVE_INFINITY }, call) {
    const tables = names.map((name) => requireTable(call, name));
    if (tables.length === 0) call.fail('readFile() needs the name of at least one file', 'file');
    const columns = includedColumns(include);
    // A column may be missing in some of the files, but not in all.
    const headers = allColumns(tables.map((table) => table.headers));
    requireColumns(call, headers, columns ?? [], 'include');
    return rowAggregate({
      ignoresInput: true,
      columns: () => columns ?? headers,
      open(run) {
        function* read(): RowSource {
          let left = maxRows;
          for (const table of tables) {
            const { headers: names, rows } = table.read(run);
            const cells = (columns ?? names).map((name) => ({ name, position: names.lastIndexOf(name) }));
            for (const line of rows) {
              if (left-- <= 0) return;
              const row: Fields = {};
              writeColumns(row, line, cells);
              yield row;
            }
          }
        }
        return { push() {}, rows: () => collectRows(read(), run) };
      },
    });
  },
});
