import { queryStream } from '../api/query-stream.ts';
import type { Row } from '../api/types.ts';
import { fullQuery } from '../search/query-text.ts';
import { searchInput } from '../search/run-search.ts';
import { http, repository, search } from '../state/page-state.ts';
import { facts, table } from '../state/results.ts';

export type ExportFormat = 'csv' | 'ndjson';

const TYPES: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** Saves all rows of the result, also those that the page has not loaded. */
export async function exportResult(format: ExportFormat): Promise<void> {
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
  const text =
    format === 'csv' ? csvOf(rows, columnsOf(rows)) : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  download(new Blob([text], { type: TYPES[format] }), `${repository.value}.${format}`);
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
