import type { SlicedWork } from '../../engine/index.ts';
import { invalid, type ResourceError, tooLarge } from '../registries/resource-error.ts';
import type { LookupTable } from './lookup-table.ts';

/**
 * Parses a CSV file: commas, optional double quotes, whitespace kept, any newlines, headers in the first line. Short
 * rows are filled with empty cells; cells beyond the last header are ignored.
 *
 * @throws ResourceError if a quote is not closed.
 */
export function* readCsv(text: string): SlicedWork<LookupTable> {
  let headers: readonly string[] | undefined;
  const rows: (readonly string[])[] = [];
  for (const line of csvLines(text)) {
    if (headers === undefined) headers = line;
    // A blank line is an empty cell when there is one column, and nothing at all when there are more.
    else if (headers.length === 1 || !isBlank(line)) rows.push(fitRow(line, headers.length));
    if (rows.length % ROWS_PER_STEP === 0) yield;
  }
  return headers === undefined || (isBlank(headers) && rows.every(isBlank))
    ? { headers: [], rows: [] }
    : { headers, rows };
}

const ROWS_PER_STEP = 64;
export const MAX_COLUMNS = 10_000;

export function tooManyColumns(): ResourceError {
  return tooLarge(`A file can have at most ${MAX_COLUMNS} columns.`);
}

const END_OF_CELL = /,|\r\n|\r|\n|$/g;
const REST_OF_QUOTED_CELL = / *(?:,|\r\n|\r|\n|$)/y;

/** A trailing newline does not start another line. */
function* csvLines(text: string): Generator<string[]> {
  let row = 1;
  let cells: string[] = [];
  for (let at = 0; at < text.length || cells.length > 0; ) {
    const start = at;
    let sign = END_OF_CELL;
    if (text[start] === '"') {
      sign = REST_OF_QUOTED_CELL;
      at = endOfQuotes(text, start);
    }
    sign.lastIndex = at;
    const cellEnd = at === -1 ? null : sign.exec(text);
    if (cellEnd === null) {
      throw invalid(`The file is not CSV: row ${row} has an unmatched double quote.`);
    }
    cells.push(
      sign === END_OF_CELL
        ? text.slice(start, cellEnd.index)
        : text.slice(start + 1, at - 1).replaceAll('""', '"'),
    );
    at = cellEnd.index + cellEnd[0].length;
    if (cells.length > MAX_COLUMNS) throw tooManyColumns();
    if (cellEnd[0].endsWith(',')) continue;
    yield cells;
    cells = [];
    row++;
  }
}

/** The position after the closing quote; -1 if there is none. */
function endOfQuotes(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at + 1;
  }
  return -1;
}

export function printCsv({ headers, rows }: LookupTable): string {
  if (headers.length === 0) return '';
  return [headers, ...rows].map(printCsvLine).join('');
}

export function fitRow(row: readonly string[], columns: number): readonly string[] {
  if (row.length === columns) return row;
  return Array.from({ length: columns }, (_, index) => row[index] ?? '');
}

/** A row, including its newline. */
export function printCsvLine(row: readonly string[]): string {
  const cells = row.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${cells.join(',')}\n`;
}

function isBlank(row: readonly string[]): boolean {
  return row.length === 0 || (row.length === 1 && row[0] === '');
}
