import Papa from 'papaparse';
import { fieldNames } from '../../core/records/field-names.ts';
import { cellText, type Row, type RowFormat, type RowShape, type Surface } from './row-format.ts';
import { visibleLines } from './terminal-text.ts';

/**
 * CSV with a header. If the columns are not known in advance, rows are buffered and the columns are the fields of all
 * rows; for endless rows, the fields of the first rows.
 */
export function csvFormat({ columns, isEndless }: RowShape, surface: Surface): RowFormat {
  const waiting: Row[] = [];
  let header = columns;
  let hasHeader = false;
  let hasWarned = false;
  const write = (rows: readonly Row[], names: readonly string[]): string => {
    const data = rows.map((row) => names.map((name) => cellText(row, name)));
    const lines = hasHeader ? data : [[...names], ...data];
    hasHeader = true;
    if (lines.length === 0) return '';
    const text = `${Papa.unparse(lines, { newline: '\n' })}\n`;
    return surface.isTerminal ? visibleLines(text) : text;
  };
  const warnOfLostFields = (rows: readonly Row[], names: readonly string[]): void => {
    if (hasWarned || columns !== undefined) return;
    const lost = fieldNames(rows).find((name) => !names.includes(name));
    if (lost === undefined) return;
    hasWarned = true;
    surface.warn(
      `the field "${lost}" is missing from the columns of the first rows and is omitted. Set the columns with --fields.`,
    );
  };
  return {
    rows(rows) {
      if (header === undefined && isEndless && rows.length > 0) header = fieldNames(rows);
      if (header === undefined) {
        for (const row of rows) waiting.push(row);
        return '';
      }
      warnOfLostFields(rows, header);
      return write(rows, header);
    },
    end() {
      if (header === undefined && waiting.length > 0) return write(waiting, fieldNames(waiting));
      return !hasHeader && header !== undefined ? write([], header) : '';
    },
  };
}
