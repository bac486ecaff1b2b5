import { type LookupTable, MISSING_FILE, suggestion } from '../query-library.ts';
import type { RunScope } from '../run/run-context.ts';
import type { CallSite } from '../signature/call-site.ts';
import { requireColumn, requireFile } from '../signature/library-access.ts';

/** A table that a query names: a lookup file, or a table that `defineTable` has made. */
export interface NamedTable {
  readonly name: string;
  /** `undefined` when they are only known once the run has begun. */
  readonly headers: readonly string[] | undefined;
  /** The lookup file no longer exists, so no event can match. */
  readonly isMissing?: boolean;
  read(run: RunScope): LookupTable;
}

/**
 * The table that an argument of a call names. A table of the query hides a file of the same name.
 *
 * @throws QueryError at that argument when there is neither.
 */
export function requireTable(call: CallSite, name: string, parameter = 'file'): NamedTable {
  const { draft, library } = call.scope;
  const table = draft.tables.get(name);
  if (table !== undefined) return { ...table, name };
  if (draft.tables.size > 0 && library.file(name) === undefined) {
    const known = [...draft.tables.keys(), ...library.fileNames()];
    call.fail(
      `There is no table and no lookup file ${JSON.stringify(name)}${suggestion(name, known)}`,
      parameter,
    );
  }
  const file = requireFile(call, name, parameter);
  const isMissing = file === MISSING_FILE;
  return { name, headers: isMissing ? undefined : file.headers, isMissing, read: () => file };
}

/** Fails at an argument of the call unless the table has these columns; one of unknown columns may have any. */
export function requireColumns(
  call: CallSite,
  { headers }: NamedTable,
  columns: readonly string[],
  parameter: string,
): void {
  if (headers === undefined) return;
  for (const column of columns) requireColumn(call, headers, column, parameter);
}

/** What `include` of `match` and its kin names: `undefined` for all columns. */
export function includedColumns(include: readonly string[]): readonly string[] | undefined {
  return include.includes('*') ? undefined : include;
}
