import { type Fields, writeField } from '../event.ts';

/** The result of an aggregate that makes one row with one field; no row when there is no value. */
export function singleField(name: string, value: string | undefined): readonly Fields[] {
  if (value === undefined) return [];
  const row: Fields = {};
  writeField(row, name, value);
  return [row];
}
