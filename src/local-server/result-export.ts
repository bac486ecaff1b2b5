import { malformed } from './http-error.ts';
import type { StoredEvent } from './stored-event.ts';
import { renderEvent } from './stored-event.ts';

/** A result in the format that a client asked for. */
export interface ExportedRows {
  readonly contentType: string;
  readonly text: string;
}

/**
 * Rows in one of the formats of an export.
 *
 * @param fields the columns, comma separated, for the formats that have columns; default: those of the rows.
 * @throws HttpError 400 for a format that does not exist.
 */
export function exportRows(
  rows: readonly StoredEvent[],
  mimeType: string,
  fields: string | undefined,
  fieldOrder: readonly string[] | undefined,
): ExportedRows {
  switch (mimeType) {
    case 'application/json':
      return { contentType: mimeType, text: `[${rows.map(renderEvent).join(',\n')}]` };
    case 'application/x-ndjson':
      return { contentType: mimeType, text: rows.map((row) => `${renderEvent(row)}\n`).join('') };
    case 'text/plain':
      return {
        contentType: 'text/plain; charset=UTF-8',
        text: rows.map((row) => `${renderText(row)}\n`).join(''),
      };
    case 'text/csv': {
      const columns = fields?.split(',').map((name) => name.trim()) ?? fieldOrder ?? columnsOf(rows);
      const lines = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))];
      return { contentType: 'text/csv; charset=UTF-8', text: lines.map(renderCsvLine).join('') };
    }
    default:
      throw malformed(
        "The query parameter 'mimeType' must be application/json, application/x-ndjson, text/csv or text/plain.",
      );
  }
}

/** An event as text: its original text if it has one, else its fields. */
export function renderText(row: StoredEvent): string {
  return (
    row['@rawstring'] ??
    Object.entries(row)
      .map(([name, value]) => `${name}->${value}`)
      .join(', ')
  );
}

function columnsOf(rows: readonly StoredEvent[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function renderCsvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
}
