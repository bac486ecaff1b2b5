import { readField, type SlicedWork } from '../../engine/index.ts';
import { nextQueryTurn, runInSlices } from '../event-loop.ts';
import { malformed } from '../http/http-error.ts';
import { printCsvLine } from '../lookup-files/csv-table.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import type { QueryResult } from './result-collector.ts';
import { JSON_ARRAY, NDJSON, type RowFormat, TEXT } from './row-format.ts';

/**
 * The format of an export.
 *
 * @param fields comma-separated columns, for formats with columns. Default: those of the rows.
 * @throws HttpError 400 for an unknown format.
 */
export async function exportFormat(
  mimeType: string,
  fields: string | undefined,
  { rows, fieldOrder }: Pick<QueryResult, 'rows' | 'fieldOrder'>,
): Promise<RowFormat> {
  const known = [JSON_ARRAY, NDJSON, TEXT].find(({ contentType }) => contentType.split(';')[0] === mimeType);
  if (known !== undefined) return known;
  if (mimeType !== 'text/csv')
    throw malformed(
      "The query parameter 'mimeType' must be application/json, application/x-ndjson, text/csv or text/plain.",
    );
  const columns = fields?.split(',').map((name) => name.trim()) ?? fieldOrder;
  return csvFormat(columns ?? (await runInSlices(columnsOf(rows), nextQueryTurn)));
}

function csvFormat(columns: readonly string[]): RowFormat {
  return {
    contentType: 'text/csv; charset=UTF-8',
    head: printCsvLine(columns),
    row: (row) => printCsvLine(columns.map((name) => readField(row, name) ?? '')),
    tail: '',
  };
}

function* columnsOf(rows: readonly StoredEvent[]): SlicedWork<string[]> {
  const columns = new Set<string>();
  for (const row of rows) {
    for (const name of Object.keys(row)) columns.add(name);
    yield;
  }
  return [...columns];
}
