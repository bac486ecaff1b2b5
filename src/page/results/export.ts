import { streamingQuery } from '../../client/query/streaming-query.ts';
import { type Row, toRow } from '../api/rows.ts';
import { toRecord } from '../records/log-record.ts';
import { fullQuery } from '../search/query-text.ts';
import { isListLive, searchInput } from '../search/run-search.ts';
import { repository, search, sourceOf } from '../state/page-state.ts';
import { facts, table } from '../state/results.ts';
import { hasStreams, isMissingApi } from '../state/service.ts';
import { type CsvKind, csvHeader, csvLines, withEmptyCells } from './csv.ts';

export type ExportFormat = 'csv' | 'csv-spreadsheet' | 'ndjson';

export interface ExportOptions {
  readonly format: ExportFormat;
  /** Called with the number of rows read so far. */
  readonly onProgress: (rows: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Saves all rows of the result as a file, even those that the page has not loaded.
 *
 * @throws {Error} if the browser can't hold a file of that size
 */
export async function exportResult(options: ExportOptions): Promise<void> {
  const { format, signal } = options;
  const file = await collectFile(options).catch((error: unknown) => {
    if (!isMissingApi(error)) throw error;
    hasStreams.value = false;
    return collectFile(options);
  });
  signal.throwIfAborted();
  download(file, `${repository.value}.${format === 'ndjson' ? 'ndjson' : 'csv'}`);
}

const PART_ROWS = 5_000;
/** A query with an aggregate function has no row until it has read all events. */
const TIMEOUT_MS = 300_000;
const TOO_LARGE =
  'The browser can’t hold a file of this size. “Copy as CLI command” gives a command that prints all rows.';

/** The file's parts are blobs, which don't use the JavaScript heap. */
async function collectFile({ format, onProgress, signal }: ExportOptions): Promise<Blob> {
  const file =
    format === 'ndjson' ? new NdjsonFile() : new CsvFile(format === 'csv' ? 'plain' : 'spreadsheet');
  let rows: Row[] = [];
  let count = 0;
  const finishPart = (): void => {
    file.add(rows);
    count += rows.length;
    rows = [];
    onProgress(count);
  };
  for await (const parsed of allRows(signal)) {
    rows.push(toRow(parsed));
    if (rows.length >= PART_ROWS) finishPart();
  }
  finishPart();
  try {
    const whole = await file.finish(signal);
    // Fails where the browser would cancel the download without a word.
    await whole.slice(-1).text();
    return whole;
  } catch (cause) {
    signal.throwIfAborted();
    throw new Error(TOO_LARGE, { cause });
  }
}

class NdjsonFile {
  readonly #parts: Blob[] = [];

  add(rows: readonly Row[]): void {
    this.#parts.push(new Blob([rows.map((row) => `${JSON.stringify(row)}\n`).join('')]));
  }

  finish(): Blob {
    return new Blob(this.#parts, { type: 'application/x-ndjson' });
  }
}

class CsvFile {
  readonly #kind: CsvKind;
  readonly #parts: { readonly lines: Blob; readonly columns: number }[] = [];
  readonly #columns = new Set(selectedColumns());
  readonly #isComplete = this.#columns.size > 0;

  constructor(kind: CsvKind) {
    this.#kind = kind;
  }

  add(rows: readonly Row[]): void {
    if (!this.#isComplete) for (const row of rows) for (const name in row) this.#columns.add(name);
    const shown = this.#isComplete && table.value === undefined ? rows.map(withShownFields) : rows;
    const lines = new Blob([csvLines(shown, [...this.#columns], this.#kind)]);
    this.#parts.push({ lines, columns: this.#columns.size });
  }

  async finish(signal: AbortSignal): Promise<Blob> {
    const parts: BlobPart[] = [csvHeader([...this.#columns], this.#kind)];
    for (const { lines, columns } of this.#parts) {
      signal.throwIfAborted();
      const missing = this.#columns.size - columns;
      parts.push(missing === 0 ? lines : new Blob([withEmptyCells(await lines.text(), missing)]));
    }
    return new Blob(parts, { type: 'text/csv' });
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

function allRows(signal: AbortSignal): AsyncIterable<Row> {
  const { start, end } = facts.value ?? searchInput(search.value);
  const until = isListLive() ? 'now' : end;
  const query = { ...searchInput(search.value), start, end: until, signal, timeoutMs: TIMEOUT_MS };
  return streamingQuery<Row>(sourceOf(repository.value), fullQuery(search.value), query);
}

/** Empty if the file has the fields of all rows, in order of first appearance. */
function selectedColumns(): readonly string[] {
  const { columns } = search.value;
  const order = table.value?.fieldOrder ?? [];
  return order.length > 0 || columns.length === 0
    ? order
    : [...new Set(['@timestamp', 'level', ...columns, 'message'])];
}

function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
