import { inColumns } from './in-columns.ts';
import { type Row, type RowFormat, type RowShape, rowByRow, type Surface } from './row-format.ts';
import { visibleJson } from './terminal-text.ts';

/** One JSON array with one row per line; also for streamed rows. */
export function jsonFormat({ columns }: RowShape, { isTerminal }: Surface): RowFormat {
  const ordered = inColumns(columns);
  let separator = '[\n';
  return {
    rows(rows) {
      let text = '';
      for (const row of rows) {
        text += separator + JSON.stringify(ordered(row));
        separator = ',\n';
      }
      return isTerminal ? visibleJson(text) : text;
    },
    end: () => [separator === '[\n' ? '[]\n' : '\n]\n'],
  };
}

/** One JSON object per line, for `jq` and programs. */
export function ndjsonFormat({ columns }: RowShape, { isTerminal }: Surface): RowFormat {
  const ordered = inColumns(columns);
  const textOf = (row: Row): string => JSON.stringify(ordered(row));
  return rowByRow(isTerminal ? (row) => visibleJson(textOf(row)) : textOf);
}
