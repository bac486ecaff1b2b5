import { ChangedTable } from '../columns/changed-table.ts';
import { takeWhere } from '../columns/column-test.ts';
import { computedValues } from '../columns/computed.ts';
import { overRows } from '../columns/row-view.ts';
import { copyFields, type Fields, writeField } from '../event.ts';
import { type Columns, type StreamStep, withColumns } from '../operators/operator.ts';
import type { Preparation, PreparingRun } from '../operators/preparation.ts';
import { rowStep } from '../operators/row-code.ts';
import type { LookupTable } from '../query-library.ts';
import type { RunScope } from '../run/run-context.ts';
import { finish } from '../run/sliced-sort.ts';
import { fieldNames, flag, tableName } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { type ArgumentsOf, optional, required, unnamed, withDefault } from '../signature/function-spec.ts';
import { includedColumns, type NamedTable, requireColumns, requireTable } from './table-argument.ts';
import { type IndexOptions, indexTable, type MatchMode, type TableIndex } from './table-index.ts';

interface TableMatchOptions extends IndexOptions {
  /** Columns to add; `undefined` for all. */
  readonly include: readonly string[] | undefined;
}

/** Approximate size of a row in the index. */
const INDEXED_ROW_BYTES = 100;

/** A table with its index. */
interface OpenTable {
  readonly rows: LookupTable['rows'];
  readonly index: TableIndex;
  /** Columns to add: name, and position in a row. */
  readonly included: readonly { readonly name: string; readonly position: number }[];
}

/**
 * Matches events with a table. The index is shared by all runs and groups, and is best built as a preparation, because
 * that takes a while for large tables.
 */
export class TableMatch implements Preparation {
  readonly key = this;
  readonly readsEvents = false;
  readonly #table: NamedTable;
  readonly #options: TableMatchOptions;
  /** One table for a lookup file; for a subquery, one per run. */
  readonly #opened = new WeakMap<LookupTable, OpenTable>();

  constructor(table: NamedTable, options: TableMatchOptions) {
    this.#table = table;
    this.#options = options;
  }

  /** The fields that a match writes; `undefined` if they are not known in advance. */
  get outputs(): readonly string[] | undefined {
    return this.#options.include ?? this.#table.headers?.filter((name) => name !== '');
  }

  /** The fields that are compared. */
  get fields(): readonly string[] {
    return this.#options.fields;
  }

  /** The lookup file no longer exists: events without a match are kept, even with `strict=true`. */
  get isMissing(): boolean {
    return this.#table.isMissing === true;
  }

  open(run: RunScope): OpenTable {
    const known = this.#opened.get(this.#table.read(run));
    return known ?? finish(this.#index(run));
  }

  *compute({ run }: PreparingRun): Generator<void, void> {
    const table = this.#table.read(run);
    if (this.#opened.has(table)) return;
    run.retain?.(table.rows.length * INDEXED_ROW_BYTES);
    yield* this.#index(run);
  }

  *#index(run: RunScope): Generator<void, OpenTable> {
    const table = this.#table.read(run);
    const names = this.#options.include ?? table.headers.filter((name) => name !== '');
    const opened = {
      rows: table.rows,
      index: yield* indexTable(table, this.#options),
      included: [...new Set(names)].map((name) => ({ name, position: table.headers.lastIndexOf(name) })),
    };
    this.#opened.set(table, opened);
    return opened;
  }
}

/** Writes columns of a row of a table. Empty cells leave the field unchanged. */
export function writeColumns(
  event: Fields,
  cells: readonly (string | undefined)[],
  columns: OpenTable['included'],
  prefix = '',
): void {
  for (const { name, position } of columns) {
    const value = cells[position];
    if (value !== undefined) writeField(event, prefix + name, value);
  }
}

/** Maximum `nrows`, as on the service. */
export const MAX_MATCHED_ROWS = 500;

/** Parameters of all functions that match events with a table. */
export const tableMatchParameters = {
  file: unnamed(tableName, ['table']),
  field: required(fieldNames),
  column: optional(fieldNames),
  include: withDefault(fieldNames, ['*']),
  strict: withDefault(flag, true),
  ignoreCase: withDefault(flag, false),
} as const;

type TableMatchArguments = Omit<ArgumentsOf<typeof tableMatchParameters>, 'strict'>;

/** Resolves the table and checks its columns. @throws QueryError at the argument that is wrong. */
export function requireTableMatch(args: TableMatchArguments, mode: MatchMode, call: CallSite): TableMatch {
  const { file, field: fields, ignoreCase } = args;
  const table = requireTable(call, file);
  const [only = ''] = fields.length === 1 ? fields : [];
  // In a JSON file with an object of objects, the keys have no name.
  const hasKeys = only !== '' && table.headers?.includes('') && !table.headers.includes(only);
  const columns = args.column ?? (hasKeys ? [''] : fields);
  if (columns.length !== fields.length) {
    call.fail(`"column" must name one column per field (${fields.length})`, 'column');
  }
  requireColumns(call, table.headers, columns, call.has('column') ? 'column' : 'field');
  const include = includedColumns(args.include);
  requireColumns(call, table.headers, include ?? [], 'include');
  const match = new TableMatch(table, { fields, columns, mode, ignoreCase, include });
  call.scope.draft.preparations.push(match);
  return match;
}

interface MatchedRowsOptions {
  /** Whether to keep events without a match. */
  readonly keepOthers: boolean;
  /** Maximum number of rows that become an event each. */
  readonly maxRows: number;
  /** Whether the last matching row comes first. */
  readonly lastFirst: boolean;
}

/** Adds the columns of matching rows to events: one event per row. */
export function matchedRowsStep(
  match: TableMatch,
  { keepOthers, maxRows, lastFirst }: MatchedRowsOptions,
): StreamStep {
  const { outputs } = match;
  const columns = (before: Columns) => outputs && withColumns(before, outputs);
  if (maxRows === 1) return { ...lastRowStep(match, keepOthers), columns };
  return rowStep((run, emit) => {
    const table = match.open(run);
    return (row) => {
      const numbers = table.index.lastOnes(row, maxRows);
      if (numbers.length === 0 && keepOthers) emit(row);
      for (const number of lastFirst ? numbers : numbers.toReversed()) {
        const copy = copyFields(row);
        writeColumns(copy, table.rows[number]!, table.included);
        emit(copy);
      }
    };
  }, columns);
}

function lastRowStep(match: TableMatch, keepOthers: boolean): StreamStep {
  return {
    open(run, next) {
      const { index: tableIndex, rows, included } = match.open(run);
      return {
        from(table) {
          const rowOf = overRows(table, match.fields, (row) => tableIndex.last(row));
          const columns = included.map(({ name, position }) => {
            const before = table.column(name);
            const at = (index: number): string | undefined =>
              rows[rowOf(index)]?.[position] ?? before.at(index);
            return [name, computedValues(at)] as const;
          });
          const take = next.from(new ChangedTable(table, new Map(columns)));
          return takeWhere(keepOthers || ((index) => rowOf(index) !== -1), take, run);
        },
      };
    },
  };
}
