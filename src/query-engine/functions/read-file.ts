import { type Fields, writeField } from '../event.ts';
import { rowAggregate } from '../operators/row-code.ts';
import type { LookupTable } from '../query-library.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';
import { fieldNames, limit, listOf, tableName } from '../signature/argument-types.ts';
import { defineAggregate, optional, required, withDefault } from '../signature/function-spec.ts';
import { includedColumns, requireColumns, requireTable } from '../tables/table-argument.ts';

/** Lookup files have no more rows than this. */
const MAX_FILE_ROWS = 100_000_000;

/** Forgets all events and gives the rows of lookup files or tables of the query, one file after the other. */
export const readFile = defineAggregate({
  name: 'readFile',
  parameters: {
    file: required(listOf(tableName, 'names'), { unnamed: true, aliases: ['table'] }),
    include: withDefault(fieldNames, ['*']),
    limit: optional(limit({ max: MAX_FILE_ROWS })),
  },
  uncertain: ['Without `limit`, all rows are returned. A limit applies to all files combined.'],
  compile({ file: names, include, limit: maxRows = Number.POSITIVE_INFINITY }, call) {
    const tables = names.map((name) => requireTable(call, name));
    const [first] = tables;
    if (first === undefined) return call.fail('readFile() needs the name of at least one file', 'file');
    const columns = includedColumns(include);
    // A column may be missing in some of several files, but not in all of them.
    const headers = allHeaders(tables.map((table) => table.headers));
    requireColumns(call, { name: '', headers, read: first.read }, columns ?? [], 'include');
    return rowAggregate({
      ignoresInput: true,
      columns: () => columns ?? headers,
      open(run) {
        function* read(): SlicedWork<readonly Fields[]> {
          const retain = scopeOfRead(run).retain;
          const rows: Fields[] = [];
          for (const table of tables) {
            for (const row of rowsOf(table.read(run), columns)) {
              if (rows.length >= maxRows) return rows;
              retain?.(rowBytes(row));
              rows.push(row);
              yield;
            }
          }
          return rows;
        }
        return { push() {}, rows: read };
      },
    });
  },
});

function allHeaders(headers: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  if (headers.includes(undefined)) return undefined;
  return [...new Set(headers.flatMap((names) => names ?? []))];
}

function* rowsOf(
  { headers, rows: lines }: LookupTable,
  columns: readonly string[] | undefined,
): Generator<Fields> {
  const cells = (columns ?? headers).map((name) => ({ name, position: headers.lastIndexOf(name) }));
  for (const line of lines) {
    const row: Fields = {};
    for (const { name, position } of cells) {
      const value = line[position];
      if (value !== undefined) writeField(row, name, value);
    }
    yield row;
  }
}
