import { type LookupTable, MISSING_FILE, suggestion, UNKNOWN_FILE } from '../query-library.ts';
import type { RunScope } from '../run/run-context.ts';
import { type CallSite, requireColumn, requireFile } from '../signature/call-site.ts';

/** A lookup file, or a table of `defineTable`. */
export interface NamedTable {
  /** `undefined` until the run has started. */
  readonly headers: readonly string[] | undefined;
  /** The lookup file no longer exists, so no event can match. */
  readonly isMissing?: boolean;
  read(run: RunScope): LookupTable;
}

/**
 * Resolves the table in the argument `file`. A table of the query takes precedence over a file with the same name.
 *
 * @throws QueryError at that argument if neither exists.
 */
export function requireTable(call: CallSite, name: string): NamedTable {
  const { draft, library } = call.scope;
  const table = draft.tables.get(name);
  if (table !== undefined) return table;
  if (draft.tables.size > 0 && library.file(name) === undefined) {
    const hint = suggestion(name, [...draft.tables.keys(), ...library.fileNames()]);
    call.fail(`There is no table and no lookup file ${JSON.stringify(name)}${hint}`, 'file');
  }
  const file = requireFile(call, name);
  const isMissing = file === MISSING_FILE;
  return {
    headers: isMissing || file === UNKNOWN_FILE ? undefined : file.headers,
    isMissing,
    read: () => file,
  };
}

/** Fails at an argument unless the table has these columns, or its columns are unknown. */
export function requireColumns(
  call: CallSite,
  headers: readonly string[] | undefined,
  columns: readonly string[],
  parameter: string,
): void {
  if (headers === undefined) return;
  for (const column of columns) requireColumn(call, headers, column, parameter);
}

/** The value of `include`: `undefined` for all columns. */
export function includedColumns(include: readonly string[]): readonly string[] | undefined {
  return include.includes('*') ? undefined : include;
}
