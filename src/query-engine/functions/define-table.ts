import type { LookupTable } from '../query-library.ts';
import { preparedResult } from '../run/preparation.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import { fieldNames, tableName } from '../signature/argument-types.ts';
import { defineDefinition, required } from '../signature/function-spec.ts';
import { subQueryTable } from '../tables/sub-query.ts';
import { placeParameters, requireRepository, subQuery } from '../tables/sub-query-arguments.ts';
import { includedColumns } from '../tables/table-argument.ts';

const MAX_TABLES = 10;

/**
 * Runs a query first and keeps columns of its rows as a table for `match` and `readFile`: the rows of an aggregate in
 * its order, events from the oldest to the newest.
 */
export const defineTable = defineDefinition({
  name: 'defineTable',
  parameters: {
    query: required(subQuery, { unnamed: true }),
    name: required(tableName),
    include: required(fieldNames),
    ...placeParameters,
  },
  partial: [
    `A table holds at most ${MAX_ROWS.toLocaleString('en-US')} rows: the newest events or the first rows of an aggregate.`,
  ],
  uncertain: [
    '`view` does not affect lookup files and saved queries: they come from the repository of the main query.',
  ],
  compile({ query: plan, name, include, start, end, view }, call) {
    const { draft } = call.scope;
    if (draft.stage === 'steps') {
      call.fail('defineTable() must come before all other steps of the query');
    }
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
