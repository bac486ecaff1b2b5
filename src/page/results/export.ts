import { streamingQuery } from '../../client/query/streaming-query.ts';
import { type Row, toRow } from '../api/rows.ts';
import { fullQuery } from '../search/query-text.ts';
import { searchInput } from '../search/run-search.ts';
import { repository, search, sourceOf } from '../state/page-state.ts';
import { facts, table } from '../state/results.ts';
import { hasStreams, isMissingApi } from '../state/service.ts';
import { type CsvKind, csvHeader, csvLines } from './csv.ts';

export type ExportFormat = 'csv' | 'csv-spreadsheet' | 'ndjson';

export interface ExportOptions {
  readonly format: ExportFormat;
  /** Called with the number of rows read so far. */
  readonly onProgress: (rows: number) => void;
  readonly signal: AbortSignal;
}

/** Saves all rows of the result, including those that the page has not loaded. */
export async function exportResult(options: ExportOptions): Promise<void> {
  const { format, signal } = options;
  const rows = await collectRows(options).catch((error: unknown) => {
    if (!isMissingApi(error)) throw error;
    hasStreams.value = false;
    return collectRows(options);
  });
  const file =
    format === 'ndjson' ? new Blob(rows.parts, { type: 'application/x-ndjson' }) : await toCsv(rows, options);
  signal.throwIfAborted();
  download(file, `${repository.value}.${format === 'ndjson' ? 'ndjson' : 'csv'}`);
}

/** Rows as lines of JSON, in blobs, which don't use the JavaScript heap. */
interface CollectedRows {
  readonly parts: Blob[];
  /** Names of all fields, in order of first appearance. */
  readonly names: ReadonlySet<string>;
}

const PART_ROWS = 5_000;
/** A query with an aggregate function has no row until it has read all events. */
const TIMEOUT_MS = 300_000;

async function collectRows({ onProgress, signal }: ExportOptions): Promise<CollectedRows> {
  const parts: Blob[] = [];
  const names = new Set<string>();
  let rows: Row[] = [];
  let count = 0;
  const finishPart = (): void => {
    parts.push(new Blob([rows.map((row) => `${JSON.stringify(row)}\n`).join('')]));
    count += rows.length;
    rows = [];
    onProgress(count);
  };
  for await (const parsed of allRows(signal)) {
    const row = toRow(parsed);
    for (const name in row) names.add(name);
    rows.push(row);
    if (rows.length >= PART_ROWS) finishPart();
  }
  finishPart();
  return { parts, names };
}

function allRows(signal: AbortSignal): AsyncIterable<Row> {
  const { start, end } = facts.value ?? searchInput(search.value);
  const query = { ...searchInput(search.value), start, end, signal, timeoutMs: TIMEOUT_MS };
  return streamingQuery<Row>(sourceOf(repository.value), fullQuery(search.value), query);
}

async function toCsv({ parts, names }: CollectedRows, { format, signal }: ExportOptions): Promise<Blob> {
  const kind: CsvKind = format === 'csv' ? 'plain' : 'spreadsheet';
  const columns = columnsOf(names);
  const lines: Blob[] = [];
  for (const part of parts) {
    signal.throwIfAborted();
    const rows = (await part.text())
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => toRow(JSON.parse(line)));
    lines.push(new Blob([csvLines(rows, columns, kind)]));
  }
  return new Blob([csvHeader(columns, kind), ...lines], { type: 'text/csv' });
}

/** The selected columns; those of the result if none are selected. */
function columnsOf(names: ReadonlySet<string>): readonly string[] {
  const { columns } = search.value;
  const order = table.value?.fieldOrder ?? [];
  if (order.length > 0) return order;
  if (columns.length > 0) return [...new Set(['@timestamp', 'level', ...columns, 'msg'])];
  return [...names];
}

function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
