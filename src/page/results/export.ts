import { countText } from '../../core/count-text.ts';
import { explanationOf } from '../api/http.ts';
import type { Row } from '../api/rows.ts';
import { toRecord } from '../records/log-record.ts';
import { repository, search } from '../state/page-state.ts';
import { facts, readShare, table, viewRows } from '../state/results.ts';
import { type CsvKind, csvHeader, csvLines, withEmptyCells } from './csv.ts';
import { shownRows } from './export-rows.ts';

export type ExportFormat = CsvKind | 'ndjson';

export interface ExportOptions {
  readonly format: ExportFormat;
  /** Called with the number of rows read so far. */
  readonly onProgress: (rows: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Saves all rows of the result as a file, even those that the page has not loaded.
 *
 * @throws {Error} if rows are missing, whose file says so in its name, or if the browser can't hold a file of that size
 */
export async function exportResult(options: ExportOptions): Promise<void> {
  const { format, signal } = options;
  const extension = format === 'ndjson' ? 'ndjson' : 'csv';
  const { content, rows, failure } = await collectFile(options);
  signal.throwIfAborted();
  const isWhole = failure === undefined && readShare.value === undefined;
  const name = `${repository.value}${isWhole ? '' : '-incomplete'}.${extension}`;
  if (rows > 0 || failure === undefined) download(content, name);
  if (failure === undefined) return;
  const saved = rows > 0 ? ` ${name} has only the first ${countText(rows, 'row')}.` : '';
  throw new Error(explanationOf(failure) + saved, { cause: failure });
}

const PART_ROWS = 5_000;
const TOO_LARGE =
  'The browser can’t hold a file of this size. “Copy as CLI command” gives a command that prints all rows.';

/** @returns the file, the number of its rows, and why rows are missing, if they are */
async function collectFile({ format, onProgress, signal }: ExportOptions) {
  const file = new RowsFile(format);
  let rows: Row[] = [];
  let [count, failure]: [number, unknown] = [0, undefined];
  const finishPart = (): void => {
    file.add(rows);
    count += rows.length;
    rows = [];
    onProgress(count);
  };
  try {
    for await (const row of shownRows(signal)) if (rows.push(row) >= PART_ROWS) finishPart();
  } catch (error) {
    failure = error;
  }
  finishPart();
  signal.throwIfAborted();
  try {
    const content = await file.finish(signal);
    // Fails where the browser would cancel the download without a word.
    await content.slice(-1).text();
    return { content, rows: count, failure };
  } catch (cause) {
    signal.throwIfAborted();
    throw new Error(TOO_LARGE, { cause });
  }
}

/** Rows as text, in parts. The first line of CSV, with the fields of all rows, is known last. */
class RowsFile {
  readonly #kind: CsvKind | undefined;
  readonly #parts: { readonly lines: Blob; readonly columns: number }[] = [];
  readonly #ofList = listColumns();
  // None if the file has the fields of all rows, in order of first appearance.
  readonly #ofQuery = viewRows.value === undefined ? (facts.value?.columns ?? []) : [];
  readonly #columns = new Set(this.#ofList.length > 0 ? this.#ofList : this.#ofQuery);
  readonly #isComplete = this.#columns.size > 0;

  constructor(format: ExportFormat) {
    this.#kind = format === 'ndjson' ? undefined : format;
  }

  add(rows: readonly Row[]): void {
    if (!this.#isComplete) for (const row of rows) for (const name in row) this.#columns.add(name);
    this.#parts.push({ lines: new Blob([this.#print(rows)]), columns: this.#columns.size });
  }

  #print(rows: readonly Row[]): string {
    if (this.#kind === undefined) return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const shown = this.#ofList.length > 0 ? rows.map(withShownFields) : rows;
    return csvLines(shown, [...this.#columns], this.#kind);
  }

  async finish(signal: AbortSignal): Promise<Blob> {
    const parts: BlobPart[] = this.#kind === undefined ? [] : [csvHeader([...this.#columns], this.#kind)];
    for (const { lines, columns } of this.#parts) {
      signal.throwIfAborted();
      const missing = this.#kind === undefined ? 0 : this.#columns.size - columns;
      parts.push(missing === 0 ? lines : withEmptyCells(await lines.text(), missing));
    }
    return new Blob(parts, { type: this.#kind === undefined ? 'application/x-ndjson' : 'text/csv' });
  }
}

/** The level and the message as the list shows them, whatever their fields are called. Chosen columns keep their values. */
function withShownFields(row: Row): Row {
  const { level, message } = toRecord(row);
  const { columns } = search.value;
  return {
    ...row,
    ...(columns.includes('level') ? {} : { level }),
    ...(columns.includes('message') ? {} : { message }),
  };
}

/** The columns chosen for the list, and those that it always has; none if it has all fields. */
function listColumns(): readonly string[] {
  const { columns } = search.value;
  const isList = table.value === undefined && viewRows.value === undefined;
  return isList && columns.length > 0 ? [...new Set(['@timestamp', 'level', ...columns, 'message'])] : [];
}

function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
