import { type LookupTable, suggestion, UNKNOWN_FILE } from '../query-library.ts';
import { noReferenceData, type ReferenceData } from '../reference-data.ts';
import type { RunScope } from '../run/run-context.ts';
import type { Scope } from './scope.ts';

/** The arguments of a call, converted to the types of its parameters. */
export interface BoundArguments {
  /** One entry per parameter. */
  readonly named: Readonly<Record<string, unknown>>;
  /** Arguments with arbitrary names, as for `eval`, in order. */
  readonly others: readonly { readonly name: string; readonly value: unknown }[];
}

/** The call, for checks in functions. */
export interface CallSite {
  readonly scope: Scope;
  /** Whether the call sets this parameter. */
  has(parameter: string): boolean;
  /** Fails at the argument of this parameter or, without one, at the call. */
  fail(problem: string, parameter?: string): never;
}

/**
 * Resolves the lookup file in the argument `file`.
 *
 * @throws QueryError at that argument if there is no such file.
 */
export function requireFile(call: CallSite, name: string): LookupTable {
  const { library } = call.scope;
  const hint = () => suggestion(name, library.fileNames());
  return library.file(name) ?? call.fail(`There is no lookup file ${JSON.stringify(name)}${hint()}`, 'file');
}

/**
 * The position of a column in a table.
 *
 * @throws QueryError at the argument `parameter` if there is no such column.
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
 * All values of one column of a lookup file.
 *
 * @throws QueryError at the argument `file` or `column` of the call.
 */
export function fileColumn(call: CallSite, file: string, column: string): readonly string[] {
  const table = requireFile(call, file);
  if (table === UNKNOWN_FILE) return [];
  const { headers, rows } = table;
  const index = requireColumn(call, headers, column);
  return rows.map((row) => row[index] ?? '');
}

/** The options of the local server for its reference data. */
const REFERENCE_OPTIONS: Readonly<Record<keyof ReferenceData, string>> = {
  location: 'ipLocation',
  autonomousSystem: 'asn',
  hostName: 'reverseDns',
  indicators: 'indicators',
};

/** Finds reference data for a function. Warns when it is used if the server has none. */
export function referenceLookup<K extends keyof ReferenceData>(
  { scope }: CallSite,
  name: string,
  kind: K,
): (run: RunScope) => ReferenceData[K] {
  const { [kind]: find } = scope.library.referenceData ?? noReferenceData;
  if (find !== noReferenceData[kind]) return () => find;
  const problem = `${name}() finds nothing: the local server needs the option "referenceData.${REFERENCE_OPTIONS[kind]}".`;
  return (run) => {
    run.warn(problem);
    return find;
  };
}
