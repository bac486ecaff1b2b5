import { csvRowAt } from '../../core/csv-row.ts';
import type { SlicedWork } from '../../engine/index.ts';
import { ResourceError, tooLarge } from '../registries/resource-error.ts';
import type { LookupTable } from './lookup-table.ts';

/**
 * Parses a CSV file: commas, optional double quotes, whitespace kept, any newlines, headers in the first line. Short
 * rows are filled with empty cells; empty cells beyond the last header are ignored.
 *
 * @throws ResourceError if a quote is not closed, a cell has no header, or two columns have the same name.
 */
export function* readCsv(text: string): SlicedWork<LookupTable> {
  let headers: readonly string[] | undefined;
  const rows: (readonly string[])[] = [];
  let number = 0;
  for (let at = 0; at < text.length; ) {
    number++;
    const row = csvRowAt(text, at);
    if (typeof row === 'string')
      throw new CsvError(`The file is not CSV: row ${number} has an unmatched double quote.`);
    const { cells: line, end } = row;
    at = end;
    if (line.length > MAX_COLUMNS) throw tooManyColumns();
    if (headers === undefined) headers = distinctHeaders(line);
    // A blank line is an empty cell when there is one column, and nothing at all when there are more.
    else if (headers.length === 1 || !isBlank(line)) rows.push(fitRow(line, headers.length, `Row ${number}`));
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

class CsvError extends ResourceError {
  constructor(message: string) {
    super('invalid', message);
  }
}

export function printCsv({ headers, rows }: LookupTable): string {
  if (headers.length === 0) return '';
  return [headers, ...rows].map(printCsvLine).join('');
}

/** The headers of a file; some may be empty. @throws ResourceError for two columns with one name: queries would find only one */
export function distinctHeaders(headers: readonly string[]): readonly string[] {
  const columns = new Map<string, number>();
  for (const [index, name] of headers.entries()) {
    const first = columns.get(name);
    if (first !== undefined && name !== '')
      throw new CsvError(`Columns ${first} and ${index + 1} are both named "${name}". Rename or remove one.`);
    columns.set(name, index + 1);
  }
  return headers;
}

/** A row with a cell for each header. @throws ResourceError that names the row if a cell without a header is not empty */
export function fitRow(row: readonly string[], columns: number, name: string): readonly string[] {
  if (row.length === columns) return row;
  if (row.slice(columns).some((cell) => cell !== '')) {
    const problem = `${name} has ${row.length} cells, but the header has ${columns}.`;
    throw new CsvError(`${problem} Add a column, or put cells that contain commas in double quotes.`);
  }
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
