import type { LogEvent } from '../../wire/query.ts';
import type { Colors } from './colors.ts';

export type Row = LogEvent;

/** What kind of rows come. */
export interface RowShape {
  /** They are rows of an aggregate, or of a list, and no events. */
  readonly isAggregate: boolean;
  /** The columns in order, where they are known beforehand. */
  readonly columns: readonly string[] | undefined;
  /** They come as they happen, and nobody knows the last one. */
  readonly isEndless: boolean;
}

/** Where rows are shown. */
export interface Surface {
  readonly isTerminal: boolean;
  /** Columns of the terminal; `Infinity` if it is none. */
  readonly width: number;
  readonly colors: Colors;
  /** The zone that times are shown in; `undefined` for that of this computer. */
  readonly timeZone: string | undefined;
  /** Draw a result that has a shape. */
  readonly draws: boolean;
  /** Tells people something, beside the data. */
  readonly warn: (message: string) => void;
}

/** Makes text of rows. */
export interface RowFormat {
  /** The text of some rows; what has to wait for the last one comes with {@link end}. */
  rows(rows: readonly Row[]): string;
  /** What follows the last row. */
  end(): string;
}

/** The fields of all rows, in the order in which they first appear. */
export function columnsOf(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name in row) names.add(name);
  return [...names];
}

/** A value as text; nothing for a field that a row does not have. */
export function cellText(row: Row, column: string): string {
  const value: unknown = Object.hasOwn(row, column) ? row[column] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
