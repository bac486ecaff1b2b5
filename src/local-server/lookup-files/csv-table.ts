import Papa from 'papaparse';
import { ResourceError } from '../registries/resource-error.ts';
import type { LookupTable } from './lookup-table.ts';

/**
 * Reads a CSV file: comma, optional double quotes, whitespace kept, first line = headers. Rows that are too short
 * get empty cells; cells beyond the last header have no name and are left out.
 *
 * @throws ResourceError when the quotes do not pair up.
 */
export function readCsv(text: string): LookupTable {
  const lines = sameLineEnds(text);
  const { data, errors } = Papa.parse<string[]>(lines, {
    delimiter: ',',
    newline: lines.includes('\n') ? '\n' : '\r',
    header: false,
    skipEmptyLines: false,
  });
  const [error] = errors.filter(({ type }) => type === 'Quotes');
  if (error !== undefined) {
    const line = (error.row ?? 0) + 1;
    throw new ResourceError('invalid', `The file is not CSV: row ${line} has an unmatched double quote.`);
  }
  const [headers = [], ...below] = data;
  if (isBlank(headers) && below.every(isBlank)) return { headers: [], rows: [] };
  // What follows the last line break is not a row.
  if (below.length > 0 && isBlank(below.at(-1)!)) below.pop();
  // A blank line is an empty cell when there is one column, and nothing at all when there are more.
  const rows = headers.length === 1 ? below : below.filter((line) => !isBlank(line));
  return { headers, rows: rows.map((row) => fitRow(row, headers.length)) };
}

/** A quoted cell, or a line end of Windows. */
const CELL_OR_LINE_END = /(?<=^|[,\r\n])"[^"]*(?:""[^"]*)*"|\r\n/g;

/**
 * Editors leave lines of both kinds in a file, and the parser knows one at a time. What is in quotes stays as it is.
 */
function sameLineEnds(text: string): string {
  if (!text.includes('\r\n')) return text;
  return text.replace(CELL_OR_LINE_END, (found) => (found === '\r\n' ? '\n' : found));
}

export function printCsv({ headers, rows }: LookupTable): string {
  if (headers.length === 0) return '';
  return [headers, ...rows].map(printCsvLine).join('');
}

export function fitRow(row: readonly string[], columns: number): readonly string[] {
  if (row.length === columns) return row;
  return Array.from({ length: columns }, (_, index) => row[index] ?? '');
}

/** A row with its newline. */
export function printCsvLine(row: readonly string[]): string {
  const cells = row.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${cells.join(',')}\n`;
}

function isBlank(row: readonly string[]): boolean {
  return row.length === 0 || (row.length === 1 && row[0] === '');
}
