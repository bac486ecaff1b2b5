import { shortenText } from '../../core/shorten-text.ts';
import { cellText, type Row } from './row-format.ts';
import { modelLine } from './terminal-text.ts';
import { cutBytes } from './text-size.ts';
import { isoTime, isTimeColumn } from './time-text.ts';

/** Maximum lengths of values, tried in turn until all rows fit. Below the last one, rows are omitted instead. */
const VALUE_LENGTHS = [16_000, 8_000, 4_000, 2_000, 1_000, 500, 250, 120] as const;
const MAX_NAME_LENGTH = 80;

/** A value as text of one line. Times are ISO 8601. */
export function cellLine(row: Row, column: string): string {
  const text = cellText(row, column);
  if (isTimeColumn(column) && /^\d{1,15}$/.test(text)) return isoTime(Number(text));
  return modelLine(shortenText(text, VALUE_LENGTHS[0]));
}

/**
 * Rows as lines of tab-separated values for a language model, with a header, within a number of bytes: first by cutting the
 * longest values, then by omitting the last rows.
 *
 * @returns also how many of the rows are in the text, and whether a value or a name was cut
 */
export function tabTable(columns: readonly string[], rows: readonly (readonly string[])[], maxBytes: number) {
  const header = cutBytes(
    columns.map((name) => shortenText(modelLine(name), MAX_NAME_LENGTH)).join('\t'),
    maxBytes / 2,
  );
  const room = maxBytes - Buffer.byteLength(header) - 1;
  if (room < 20) return { text: '', shown: 0, isCut: true };
  let length: number = VALUE_LENGTHS[0];
  let lines: string[] = [];
  for (length of VALUE_LENGTHS) {
    lines = linesWithin(rows, length, room);
    if (lines.length === rows.length) break;
  }
  // At least one row is shown, cut if necessary.
  const isShort = lines.length === 0 && rows.length > 0;
  if (isShort) lines = [cutBytes(lineOf(rows[0]!, length), room - 1)];
  const shown = rows.slice(0, lines.length);
  return {
    text: [header, ...lines].join('\n'),
    shown: shown.length,
    isCut: isShort || shown.some((row) => row.some((value) => value.length > length)),
  };
}

/** The first rows, as many as fit, each with a newline. */
function linesWithin(rows: readonly (readonly string[])[], length: number, room: number): string[] {
  const lines: string[] = [];
  let left = room;
  for (const row of rows) {
    const line = lineOf(row, length);
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  return lines;
}

function lineOf(row: readonly string[], length: number): string {
  return row.map((value) => shortenText(value, length)).join('\t');
}
