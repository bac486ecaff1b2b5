import type { ColumnChange } from '../../core/wire/files.ts';
import { invalid } from '../registries/resource-error.ts';
import { distinctHeaders, fitRow, MAX_COLUMNS, tooManyColumns } from './csv-table.ts';
import type { LookupTable } from './lookup-table.ts';

export interface LookupEdit {
  /** New rows of the window; may be fewer or more than it has. */
  readonly changedRows: readonly (readonly string[])[];
  /** The headers after the change; empty to derive them from `columnChanges`. */
  readonly headers: readonly string[];
  /** Applied in order to every row of the file: each adds an empty column before its index, or removes the one there. */
  readonly columnChanges: readonly ColumnChange[];
  /** Start of the window. Default: `changedRows` replaces all rows. */
  readonly offset?: number | null | undefined;
  /** Number of rows in the window. Default: as many as `changedRows`. */
  readonly limit?: number | null | undefined;
}

/** @throws ResourceError when the edit does not fit the table. */
export function editTable(table: LookupTable, edit: LookupEdit): LookupTable {
  const changed = changeColumns(table, edit.columnChanges);
  const headers = distinctHeaders(edit.headers.length > 0 ? [...edit.headers] : changed.headers);
  const kept = keptRows(changed.rows, edit);
  if (kept.before.length + kept.after.length > 0 && changed.headers.length !== headers.length) {
    const message = `headers has ${headers.length} columns, but the unchanged rows have ${changed.headers.length}. Describe the difference in columnChanges.`;
    throw invalid(message, 'headers');
  }
  if (headers.length === 0 && edit.changedRows.length > 0) {
    throw invalid('The file has no headers: add headers before rows.', 'headers');
  }
  const rows = edit.changedRows.map((row, index) => fitRow(row, headers.length, `changedRows[${index}]`));
  return { headers, rows: [...kept.before, ...rows, ...kept.after] };
}

function keptRows(
  rows: LookupTable['rows'],
  { offset, limit, changedRows }: LookupEdit,
): { before: LookupTable['rows']; after: LookupTable['rows'] } {
  if (offset == null) return { before: [], after: [] };
  requireCount('offset', offset);
  requireCount('limit', limit);
  return { before: rows.slice(0, offset), after: rows.slice(offset + (limit ?? changedRows.length)) };
}

/** @throws ResourceError for a negative number. */
export function requireCount(name: string, value: number | null | undefined): void {
  if (value != null && value < 0) throw invalid(`${name} must not be negative.`, name);
}

function changeColumns(table: LookupTable, changes: readonly ColumnChange[]): LookupTable {
  // Copies the file once, regardless of the number of changes.
  const lines = changes.length === 0 ? [] : [table.headers, ...table.rows].map((line) => [...line]);
  for (const change of changes) {
    const columns = lines[0]!.length;
    checkColumn(change, columns);
    for (const line of lines) {
      if (change.changeKind === 'Add') line.splice(change.index, 0, '');
      else line.splice(change.index, 1);
    }
  }
  const [headers, ...rows] = lines;
  return headers === undefined ? table : { headers, rows };
}

function checkColumn({ changeKind, index }: ColumnChange, columns: number): void {
  const last = changeKind === 'Add' ? columns : columns - 1;
  if (index < 0 || index > last) {
    const message = `columnChanges: there is no column ${index} to ${changeKind.toLowerCase()}.`;
    throw invalid(message, 'columnChanges');
  }
  if (changeKind === 'Add' && columns >= MAX_COLUMNS) throw tooManyColumns();
}
