import type { GroupKey } from '../aggregates/groups.ts';
import type { Fields } from '../event.ts';

/** About what a row costs besides its fields, with its place in a list. */
const ROW_BYTES = 120;
/** About what a field costs besides the characters of its value. Names are shared by all rows that have them. */
const FIELD_BYTES = 24;
/** About what a group costs besides the text of its key. */
const GROUP_BYTES = 300;
/** About what each further aggregate of a group costs. */
const AGGREGATE_BYTES = 350;
/** About what a text costs besides its characters. */
const TEXT_BYTES = 60;

/** About what a row costs that is held on to. */
export function rowBytes(row: Fields): number {
  let bytes = ROW_BYTES;
  for (const name in row) bytes += FIELD_BYTES + row[name]!.length;
  return bytes;
}

/** About what a group costs, with so many simple aggregates in it. */
export function groupBytes(key: GroupKey, aggregates = 1): number {
  const bytes = GROUP_BYTES + (aggregates - 1) * AGGREGATE_BYTES;
  return key.reduce((sum, value) => sum + (value === undefined ? 0 : textBytes(value)), bytes);
}

/** About what a text costs in a set or an array. */
export function textBytes(text: string): number {
  return TEXT_BYTES + text.length;
}
