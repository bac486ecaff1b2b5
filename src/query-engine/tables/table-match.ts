import { type Fields, writeField } from '../event.ts';
import type { LookupTable } from '../query-library.ts';
import type { Preparation, PreparingRun } from '../run/preparation.ts';
import type { RunScope } from '../run/run-context.ts';
import type { TableIndex } from './indexes/index-key.ts';
import type { NamedTable } from './table-argument.ts';
import { type IndexOptions, indexTable } from './table-index.ts';

export interface TableMatchOptions extends IndexOptions {
  /** Columns to add; `undefined` for all. */
  readonly include: readonly string[] | undefined;
}

/** Approximate size of a row in the index. */
const INDEXED_ROW_BYTES = 100;

/** A table with its index. */
export interface OpenTable {
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
    if (known !== undefined) return known;
    const work = this.#index(run);
    for (let next = work.next(); ; next = work.next()) if (next.done === true) return next.value;
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

/** Writes the included columns of a row. Empty cells leave the field unchanged. */
export function writeColumns(event: Fields, { rows, included }: OpenTable, row: number): void {
  const cells = rows[row]!;
  for (const { name, position } of included) {
    const value = cells[position];
    if (value !== undefined) writeField(event, name, value);
  }
}
