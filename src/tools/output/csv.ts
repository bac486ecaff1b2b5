import Papa from 'papaparse';
import { fieldNames } from '../../core/records/field-names.ts';
import { CommandFailure } from './command-failure.ts';
import { cellText, type Row, type RowFormat, type RowShape, type Surface } from './row-format.ts';
import { visibleLines } from './terminal-text.ts';

/** Maximum length of the rows that wait for their columns. */
const MAX_WAITING = 1024 ** 3;

/**
 * CSV with a header. If the columns are not known in advance, rows wait, as JSON, and the columns are the fields of all
 * rows; for endless rows, the fields of the first rows.
 */
export function csvFormat({ columns, isEndless }: RowShape, surface: Surface): RowFormat {
  const waiting: string[] = [];
  const waitingNames = new Set<string>();
  let room = MAX_WAITING;
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
  const wait = (rows: readonly Row[]): void => {
    const text = JSON.stringify(rows);
    room -= text.length;
    if (room < 0) {
      throw new CommandFailure(
        'the events are too large for CSV, whose columns are the fields of all events. Set the columns with --fields.',
      );
    }
    for (const name of fieldNames(rows)) waitingNames.add(name);
    waiting.push(text);
  };
  return {
    rows(rows) {
      if (header === undefined && isEndless && rows.length > 0) header = fieldNames(rows);
      if (header === undefined) {
        wait(rows);
        return '';
      }
      warnOfLostFields(rows, header);
      return write(rows, header);
    },
    *end() {
      const names = [...waitingNames];
      for (const text of waiting) yield write(JSON.parse(text) as Row[], names);
      if (!hasHeader && header !== undefined) yield write([], header);
    },
  };
}
