import type { Row } from '../api/rows.ts';

/** Variants of CSV: RFC 4180, or for spreadsheets. */
export type CsvKind = 'plain' | 'spreadsheet';

/** Start of a file, which is empty without columns. Spreadsheets recognize UTF-8 only with a byte order mark. */
export function csvHeader(columns: readonly string[], kind: CsvKind): string {
  if (columns.length === 0) return '';
  return (kind === 'spreadsheet' ? '\uFEFF' : '') + csvLine(columns.map((name) => safe(name, kind)));
}

/**
 * Rows as lines of CSV. For spreadsheets, times are in ISO format, and a value that looks like a formula starts with an
 * apostrophe.
 */
export function csvLines(rows: readonly Row[], columns: readonly string[], kind: CsvKind): string {
  return rows.map((row) => csvLine(columns.map((name) => cellOf(name, row[name], kind)))).join('');
}

/** Lines of CSV with further cells, all empty, at the end of each. */
export function withEmptyCells(lines: string, count: number): string {
  return lines.replace(/"[^"]*"|\r\n/g, (part) => (part === '\r\n' ? `${','.repeat(count)}\r\n` : part));
}

function cellOf(name: string, value: string | number | undefined, kind: CsvKind): string {
  if (kind === 'spreadsheet' && name === '@timestamp') return isoTime(Number(value)) ?? String(value ?? '');
  return safe(String(value ?? ''), kind);
}

function safe(text: string, kind: CsvKind): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
  return kind === 'spreadsheet' && isFormula ? `'${text}` : text;
}

export function isoTime(time: number): string | undefined {
  return Number.isNaN(new Date(time).getTime()) ? undefined : new Date(time).toISOString();
}

function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
  return `${quoted.join(',')}\r\n`;
}
