import { fieldNames, flag, tableName } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { optional, required, withDefault } from '../signature/function-spec.ts';
import { includedColumns, type NamedTable, requireColumns, requireTable } from './table-argument.ts';
import type { MatchMode } from './table-index.ts';
import { TableMatch } from './table-match.ts';

/** Maximum `nrows`, as on the service. */
export const MAX_MATCHED_ROWS = 500;

/** Parameters of all functions that match events with a table. */
export const tableMatchParameters = {
  file: required(tableName, { unnamed: true, aliases: ['table'] }),
  field: required(fieldNames),
  column: optional(fieldNames),
  include: withDefault(fieldNames, ['*']),
  strict: withDefault(flag, true),
  ignoreCase: withDefault(flag, false),
} as const;

export interface TableMatchArguments {
  readonly file: string;
  readonly field: readonly string[];
  readonly column: readonly string[] | undefined;
  readonly include: readonly string[];
  readonly ignoreCase: boolean;
}

/** Resolves the table and checks its columns. @throws QueryError at the argument that is wrong. */
export function requireTableMatch(args: TableMatchArguments, mode: MatchMode, call: CallSite): TableMatch {
  const { file, field: fields, ignoreCase } = args;
  const table = requireTable(call, file);
  const columns = args.column ?? usualColumns(table, fields);
  if (columns.length !== fields.length) {
    call.fail(`"column" must name one column per field (${fields.length})`, 'column');
  }
  requireColumns(call, table, columns, call.has('column') ? 'column' : 'field');
  const include = includedColumns(args.include);
  requireColumns(call, table, include ?? [], 'include');
  const match = new TableMatch(table, { fields, columns, mode, ignoreCase, include });
  call.scope.draft.preparations.push(match);
  return match;
}

/**
 * By default, columns have the names of the fields. In a JSON file with an object of objects, the keys have no name.
 */
function usualColumns({ headers }: NamedTable, fields: readonly string[]): readonly string[] {
  const [only] = fields;
  const hasKeys = headers?.includes('') && fields.length === 1 && !headers.includes(only ?? '');
  return hasKeys ? [''] : fields;
}
