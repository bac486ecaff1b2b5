import type { Row } from './row-format.ts';

/** A function that puts the members of a row in the order of the columns; what no column is known for follows them. */
export function inColumns(columns: readonly string[] | undefined): (row: Row) => Row {
  return columns === undefined ? (row) => row : (row) => ({ ...onlyColumns(row, columns), ...row });
}

/** A row with some of its members alone, in their order. */
export function onlyColumns(row: Row, columns: readonly string[]): Row {
  const chosen: Record<string, string | number | undefined> = {};
  for (const name of columns) if (Object.hasOwn(row, name)) chosen[name] = row[name];
  return chosen;
}
