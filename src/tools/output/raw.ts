import { logfmtLine } from './logfmt.ts';
import { cellText, type Row, type RowFormat, type RowShape, rowByRow, type Surface } from './row-format.ts';
import { visibleLines } from './terminal-text.ts';

/**
 * The text of events as sent. A row without it is printed as its value if it has a single field (for `$(…)` in
 * scripts), otherwise as its fields.
 */
export function rawFormat({ columns }: RowShape, { isTerminal }: Surface): RowFormat {
  return rowByRow((row) => {
    const text = rawText(row, columns);
    return isTerminal ? visibleLines(text) : text;
  });
}

export function rawText(row: Row, columns?: readonly string[]): string {
  if (Object.hasOwn(row, '@rawstring')) return cellText(row, '@rawstring');
  const names = columns ?? Object.keys(row);
  return names.length === 1 ? cellText(row, names[0]!) : logfmtLine(row, names);
}
