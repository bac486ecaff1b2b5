import type { Cell, Row } from './row-format.ts';

/** Returns a function that sorts the members of a row by column; other members follow. */
export function inColumns(columns: readonly string[] | undefined): (row: Row) => Row {
  return columns === undefined ? (row) => row : (row) => ({ ...onlyColumns(row, columns), ...row });
}

/** A row with only some of its members, in this order. */
export function onlyColumns(row: Row, columns: readonly string[]): Row {
  const chosen: Record<string, Cell> = {};
  for (const name of columns) if (Object.hasOwn(row, name)) chosen[name] = row[name];
  return chosen;
}
