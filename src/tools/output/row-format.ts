import type { Colors } from './colors.ts';

/**
 * A row of a result or of a list. The fields of events are strings, because the service stores them as text. In lists,
 * a value has its own type: true, false, a number, or `null` if there is none.
 */
export interface Row {
  readonly [field: string]: Cell;
}

export type Cell = string | number | boolean | null | undefined | Worded;

/** A value that is shown in other words outside of JSON: no limit as `none`. */
export class Worded {
  readonly #value: string | number | boolean | null | readonly string[];
  readonly #text: string;

  constructor(value: string | number | boolean | null | readonly string[], text: string) {
    this.#value = value;
    this.#text = text;
  }

  toJSON(): unknown {
    return this.#value;
  }

  toString(): string {
    return this.#text;
  }
}

/** The kind of rows in a result. */
export interface RowShape {
  /** Whether they are rows of an aggregate or a list instead of events. */
  readonly isAggregate: boolean;
  /** The columns in order, if known in advance. */
  readonly columns: readonly string[] | undefined;
  /** Fields with numbers that functions have computed. Other text stays as it was logged. */
  readonly numbers?: ReadonlySet<string>;
  /** The columns that name the series of a chart, if known. */
  readonly groups?: readonly string[];
  /** Whether rows arrive continuously, without an end. */
  readonly isEndless: boolean;
}

/** The destination of rows. */
export interface Surface {
  readonly isTerminal: boolean;
  /** Columns of the terminal; `Infinity` if it is not a terminal. */
  readonly width: number;
  readonly colors: Colors;
  /** Time zone of displayed times; `undefined` for that of this computer. */
  readonly timeZone: string | undefined;
  /** Whether to draw charts. */
  readonly draws: boolean;
  /** Shows a message to the user, separate from the data. */
  readonly warn: (message: string) => void;
}

/** Formats rows. */
export interface RowFormat {
  /** Formats some rows. What depends on later rows is returned by {@link end}. */
  rows(rows: readonly Row[]): string;
  /** The text after the last row, in parts because it can be long. */
  end(): Iterable<string>;
  /** The fields to write, if the format selects them itself. */
  readonly fields?: readonly string[];
}

/** The format that writes each row on its own, and nothing after the last one. @param textOf without the newline at its end */
export function rowByRow(textOf: (row: Row) => string): RowFormat {
  return { rows: (rows) => rows.map((row) => `${textOf(row)}\n`).join(''), end: () => [] };
}

/** A value as text; empty if the row lacks the field. */
export function cellText(row: Row, column: string): string {
  const value: unknown = Object.hasOwn(row, column) ? row[column] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' && !(value instanceof Worded) ? JSON.stringify(value) : String(value);
}
