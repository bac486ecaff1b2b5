import { inColumns } from './in-columns.ts';
import type { RowFormat, RowShape, Surface } from './row-format.ts';
import { visibleJson } from './terminal-text.ts';

/** One JSON object per line, for `jq` and programs. */
export function ndjsonFormat({ columns }: RowShape, { isTerminal }: Surface): RowFormat {
  const ordered = inColumns(columns);
  return {
    rows(rows) {
      const text = rows.map((row) => `${JSON.stringify(ordered(row))}\n`).join('');
      return isTerminal ? visibleJson(text) : text;
    },
    end: () => '',
  };
}
