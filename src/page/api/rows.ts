/**
 * A row of a result: all values are strings except `@timestamp`, in epoch milliseconds. It has no prototype, because a
 * field may have the name of a member that all objects inherit, such as `constructor`.
 */
export type Row = Readonly<Record<string, string | number>>;

/** Turns a parsed object into a row. */
export function toRow(parsed: object): Row {
  return Object.setPrototypeOf(parsed, null) as Row;
}
