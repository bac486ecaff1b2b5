import { queryStream } from '../api/query-stream.ts';
import type { Row } from '../api/types.ts';
import { fullQuery } from '../search/query-text.ts';
import { searchInput } from '../search/run-search.ts';
import { http, repository, search } from '../state/page-state.ts';
import { facts, records, table } from '../state/results.ts';
import { hasStreams, isMissingApi } from '../state/service.ts';

export type ExportFormat = 'csv' | 'ndjson';

const TYPES: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** Saves all rows of the result, also those that the page has not loaded, if the service has streams. */
export async function exportResult(format: ExportFormat): Promise<void> {
  const rows = await allRows().catch((error: unknown) => {
    if (!isMissingApi(error)) throw error;
    hasStreams.value = false;
    return loadedRows();
  });
  const text =
    format === 'csv' ? csvOf(rows, columnsOf(rows)) : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  download(new Blob([text], { type: TYPES[format] }), `${repository.value}.${format}`);
}

async function allRows(): Promise<readonly Row[]> {
  if (!hasStreams.value) return loadedRows();
  const rows: Row[] = [];
  const { start, end } = facts.value ?? searchInput(search.value);
  const input = {
    ...searchInput(search.value),
    queryString: fullQuery(search.value),
    start,
    ...(end === undefined ? {} : { end }),
  };
  for await (const more of queryStream(http, repository.value, input, new AbortController().signal))
    rows.push(...more);
  return rows;
}

function loadedRows(): readonly Row[] {
  return table.value?.rows ?? records.value.map(({ row }) => row);
}

/** The chosen columns; without any, those of the result. */
function columnsOf(rows: readonly Row[]): readonly string[] {
  const { columns } = search.value;
  const order = table.value?.fieldOrder ?? [];
  if (order.length > 0) return order;
  if (columns.length > 0) return [...new Set(['@timestamp', 'level', ...columns, 'msg'])];
  return [...new Set(rows.flatMap(Object.keys))];
}

/** CSV as in RFC 4180. */
export function csvOf(rows: readonly Row[], columns: readonly string[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => String(row[name] ?? '')))];
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
