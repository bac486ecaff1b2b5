import { type Fields, writeField } from '../event.ts';

/** A result of one row with one field; no row without a value. */
export function singleField(name: string, value: string | undefined): readonly Fields[] {
  if (value === undefined) return [];
  const row: Fields = {};
  writeField(row, name, value);
  return [row];
}
