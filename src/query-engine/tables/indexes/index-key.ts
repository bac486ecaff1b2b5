import { type Fields, readField } from '../../event.ts';

/** Finds the rows of a table that match an event, by row number. */
export interface TableIndex {
  /** The last row that matches; -1 if none does. */
  last(event: Fields): number;
  /** The last rows that match, at most `limit`, last row first. */
  lastOnes(event: Fields, limit: number): readonly number[];
}

/** How fields of an event and columns of a table form a key. */
export interface KeyOptions {
  readonly fields: readonly string[];
  /** Positions in a row. */
  readonly columns: readonly number[];
  readonly ignoreCase: boolean;
}

/** The key of an event; `undefined` if a field is missing. */
export function keyOfEvent(event: Fields, { fields, ignoreCase }: KeyOptions): string | undefined {
  if (fields.length === 1) {
    const value = readField(event, fields[0]!);
    return ignoreCase ? value?.toLowerCase() : value;
  }
  let key = '';
  for (const name of fields) {
    const value = readField(event, name);
    if (value === undefined) return undefined;
    key += joined(ignoreCase ? value.toLowerCase() : value);
  }
  return key;
}

/** The key of a row; `undefined` if a cell is missing. */
export function keyOfRow(
  row: readonly (string | undefined)[],
  { columns, ignoreCase }: KeyOptions,
): string | undefined {
  if (columns.length === 1) {
    const value = row[columns[0]!];
    return ignoreCase ? value?.toLowerCase() : value;
  }
  let key = '';
  for (const column of columns) {
    const value = row[column];
    if (value === undefined) return undefined;
    key += joined(ignoreCase ? value.toLowerCase() : value);
  }
  return key;
}

/** Length prefixes distinguish ("a", "bc") from ("ab", "c"). */
function joined(value: string): string {
  return `${value.length}:${value}`;
}
