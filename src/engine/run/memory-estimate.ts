import type { Fields } from '../event.ts';

/** Approximate size of a row without its fields. */
const ROW_BYTES = 120;
/** Approximate size of a field without its value. Rows share the names of fields. */
const FIELD_BYTES = 24;
/** Approximate size of a group without its key. */
const GROUP_BYTES = 200;
/** Approximate size of each further aggregate of a group. */
const AGGREGATE_BYTES = 350;
/** Approximate size of a string without its characters. */
const TEXT_BYTES = 60;

/** Approximate size of a row. */
export function rowBytes(row: Fields): number {
  let bytes = ROW_BYTES;
  for (const name in row) bytes += FIELD_BYTES + row[name]!.length;
  return bytes;
}

/** Approximate size of a group with this many simple aggregates. */
export function groupBytes(key: readonly (string | undefined)[], aggregates = 1): number {
  const bytes = GROUP_BYTES + (aggregates - 1) * AGGREGATE_BYTES;
  return key.reduce((sum, value) => sum + (value === undefined ? 0 : textBytes(value)), bytes);
}

/** Approximate size of a string in a set or an array. */
export function textBytes(text: string): number {
  return TEXT_BYTES + text.length;
}
