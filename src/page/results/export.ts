import { countText } from '../../core/count-text.ts';
import { explanationOf } from '../api/http.ts';
import type { Row } from '../api/rows.ts';
import { toRecord } from '../records/log-record.ts';
import { repository, search } from '../state/page-state.ts';
import { readShare, table } from '../state/results.ts';
import { type CsvKind, csvHeader, csvLines, withEmptyCells } from './csv.ts';
import { allRows } from './export-rows.ts';
import { TextParts } from './text-parts.ts';

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

interface CollectedFile {
  readonly content: Blob;
  readonly rows: number;
  /** Why rows are missing. */
  readonly failure: unknown;
}

async function collectFile({ format, onProgress, signal }: ExportOptions): Promise<CollectedFile> {
  const parts = await TextParts.open();
  const file =
    format === 'ndjson'
      ? new NdjsonFile(parts)
      : new CsvFile(parts, format === 'csv' ? 'plain' : 'spreadsheet');
  let rows: Row[] = [];
  let [count, failure]: [number, unknown] = [0, undefined];
  const finishPart = async (): Promise<void> => {
    await file.add(rows).catch(tooLarge);
    count += rows.length;
    rows = [];
    onProgress(count);
  };
  const reader = allRows(signal);
  for (;;) {
    // What fails here is the reading, not the file.
    const { value, done } = await reader.next().catch((error: unknown) => {
      failure = error;
      return { value: undefined, done: true };
    });
    if (value !== undefined) rows.push(value);
    if (done === true || rows.length >= PART_ROWS) await finishPart();
    if (done === true) break;
  }
  signal.throwIfAborted();
  try {
    const content = await file.finish(signal);
    // Fails where the browser would cancel the download without a word.
    await content.slice(-1).text();
    return { content, rows: count, failure };
  } catch (cause) {
    signal.throwIfAborted();
    return tooLarge(cause);
  }
}

function tooLarge(cause: unknown): never {
  throw new Error(TOO_LARGE, { cause });
}

class NdjsonFile {
  readonly #texts: TextParts;
  readonly #parts: Blob[] = [];

  constructor(texts: TextParts) {
    this.#texts = texts;
  }

  async add(rows: readonly Row[]): Promise<void> {
    this.#parts.push(await this.#texts.add(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
  }

  async finish(): Promise<Blob> {
    return new Blob(this.#parts, { type: 'application/x-ndjson' });
  }
}

class CsvFile {
  readonly #texts: TextParts;
  readonly #kind: CsvKind;
  readonly #parts: { readonly lines: Blob; readonly columns: number }[] = [];
  readonly #columns = new Set(selectedColumns());
  readonly #isComplete = this.#columns.size > 0;

  constructor(texts: TextParts, kind: CsvKind) {
    this.#texts = texts;
    this.#kind = kind;
  }

  async add(rows: readonly Row[]): Promise<void> {
    if (!this.#isComplete) for (const row of rows) for (const name in row) this.#columns.add(name);
    const shown = this.#isComplete && table.value === undefined ? rows.map(withShownFields) : rows;
    const columns = [...this.#columns];
    const lines = await this.#texts.add(csvLines(shown, columns, this.#kind));
    this.#parts.push({ lines, columns: columns.length });
  }

  async finish(signal: AbortSignal): Promise<Blob> {
    const parts: BlobPart[] = [csvHeader([...this.#columns], this.#kind)];
    for (const { lines, columns } of this.#parts) {
      signal.throwIfAborted();
      const missing = this.#columns.size - columns;
      parts.push(missing === 0 ? lines : await this.#texts.add(withEmptyCells(await lines.text(), missing)));
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
