import { nearestName } from '../internal/option-checks.ts';
import type { ReferenceData } from './reference-data.ts';
import type { CallSite } from './signature/call-site.ts';

/** Rows with named columns: a lookup file, or the result of a sub-query. A cell without a value is `undefined`. */
export interface LookupTable {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly (string | undefined)[])[];
}

/**
 * Stands for a lookup file that no longer exists. Functions that add columns, such as `match()`, leave events unchanged
 * then. A parser continues this way; in a query, a missing file is an error.
 */
export const MISSING_FILE: LookupTable = { headers: [], rows: [] };

/**
 * What a query can refer to by name. It is asked while the query is compiled: a plan keeps what it was given then,
 * however the files change while it runs.
 */
export interface QueryLibrary {
  /** The lookup file of this name, as it is at this moment. A table never changes; a changed file is another table. */
  file(name: string): LookupTable | undefined;
  fileNames(): readonly string[];
  /** The text of the saved query of this name. */
  savedQuery(name: string): string | undefined;
  savedQueryNames(): readonly string[];
  /** The repositories whose events sub-queries can read. */
  repositoryNames(): readonly string[];
  /** What is known of addresses; nothing when it is absent. */
  readonly referenceData?: ReferenceData | undefined;
}

/** Has nothing: what a query that is compiled by itself can refer to. */
export const emptyLibrary: QueryLibrary = {
  file: () => undefined,
  fileNames: () => [],
  savedQuery: () => undefined,
  savedQueryNames: () => [],
  repositoryNames: () => [],
};

/**
 * The lookup file that the argument `parameter` of a call names.
 *
 * @throws QueryError at that argument when there is no such file.
 */
export function requireFile(call: CallSite, name: string, parameter = 'file'): LookupTable {
  const file = call.scope.library.file(name);
  if (file !== undefined) return file;
  return call.fail(
    `There is no lookup file ${JSON.stringify(name)}${suggestion(name, call.scope.library.fileNames())}`,
    parameter,
  );
}

/**
 * The position of a column in a table.
 *
 * @throws QueryError at the argument `parameter` of the call when the table has no such column.
 */
export function requireColumn(
  call: CallSite,
  headers: readonly string[],
  column: string,
  parameter = 'column',
): number {
  const index = headers.lastIndexOf(column);
  if (index !== -1) return index;
  return call.fail(`There is no column ${JSON.stringify(column)}${suggestion(column, headers)}`, parameter);
}

/**
 * All values of one column of a lookup file, from the first row to the last.
 *
 * @throws QueryError at the argument `file` or `column` of the call.
 */
export function fileColumn(call: CallSite, file: string, column: string): readonly string[] {
  const { headers, rows } = requireFile(call, file);
  const index = requireColumn(call, headers, column);
  return rows.map((row) => row[index] ?? '');
}

const SHOWN_NAMES = 10;

/** Says which names there are, or which of them may have been meant. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `. Did you mean ${JSON.stringify(nearest)}?`;
  if (known.length === 0) return ' (none exist)';
  const shown = known.slice(0, SHOWN_NAMES).map((each) => JSON.stringify(each));
  return `. Known: ${shown.join(', ')}${known.length > SHOWN_NAMES ? ' and more' : ''}`;
}
