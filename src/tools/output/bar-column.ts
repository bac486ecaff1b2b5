import { bar } from './bar.ts';
import { cellText, type Row } from './row-format.ts';

const WIDTH = 20;
/** A narrower terminal has no room for bars beside the groups. */
const MIN_TERMINAL_WIDTH = 50;
const MAX_ROWS = 200;

export interface BarColumn {
  /** The column that the bars show, unless they are beside it. */
  readonly label: string;
  /** One per row. */
  readonly bars: readonly string[];
  readonly width: number;
}

/** Bars for the groups of `groupBy()` and `top()`: of their count, else of the last aggregated column. */
export function barColumn(
  rows: readonly Row[],
  names: readonly string[],
  terminalWidth: number,
): BarColumn | undefined {
  if (terminalWidth < MIN_TERMINAL_WIDTH || rows.length < 2 || rows.length > MAX_ROWS) return undefined;
  const label = barName(names);
  if (label === undefined) return undefined;
  const values = rows.map((row) => (cellText(row, label) === '' ? Number.NaN : Number(cellText(row, label))));
  const max = Math.max(...values);
  if (!values.every((value) => value >= 0) || max === 0) return undefined;
  const bars = values.map((value) => bar(value, max, WIDTH));
  return { label: label === names.at(-1) ? '' : label, bars, width: WIDTH };
}

function barName(names: readonly string[]): string | undefined {
  if (names.length < 2) return undefined;
  if (names.includes('_count')) return '_count';
  const last = names.at(-1)!;
  return last.startsWith('_') || names.length === 2 ? last : undefined;
}
