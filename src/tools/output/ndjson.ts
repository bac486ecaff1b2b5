import { inColumns } from './in-columns.ts';
import { type Row, type RowFormat, type RowShape, rowByRow, type Surface } from './row-format.ts';
import { visibleJson } from './terminal-text.ts';

/** One JSON object per line, for `jq` and programs. */
export function ndjsonFormat({ columns }: RowShape, { isTerminal }: Surface): RowFormat {
  const ordered = inColumns(columns);
  const textOf = (row: Row): string => JSON.stringify(ordered(row));
  return rowByRow(isTerminal ? (row) => visibleJson(textOf(row)) : textOf);
}
