import { cellText, type Row, type RowFormat, type RowShape, rowByRow, type Surface } from './row-format.ts';
import { visibleLine } from './terminal-text.ts';

/** `name=value` pairs, one row per line; values with spaces are quoted. */
export function logfmtFormat({ columns }: RowShape, { isTerminal }: Surface): RowFormat {
  return rowByRow((row) => {
    const line = logfmtLine(row, columns ?? Object.keys(row));
    return isTerminal ? visibleLine(line) : line;
  });
}

/** Some fields of a row on one line. Missing fields are omitted. */
export function logfmtLine(row: Row, names: readonly string[]): string {
  return names
    .filter((name) => Object.hasOwn(row, name) && row[name] !== undefined)
    .map((name) => `${name.replace(/[\s="{}]/g, '_')}=${valueText(cellText(row, name))}`)
    .join(' ');
}

function valueText(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a value with one is quoted, and the character escaped.
  return /[\s="\\\u0000-\u001f]/.test(value) || value === '' ? JSON.stringify(value) : value;
}
