import { type Fields, readField, writeField } from '../event.ts';

export function hasAllFields(row: Fields, names: readonly string[]): boolean {
  return names.every((name) => readField(row, name) !== undefined);
}

/** A new row with the given fields in the given order. Missing fields are omitted. */
export function pickFields(row: Fields, names: readonly string[]): Fields {
  const picked: Fields = {};
  for (const name of names) {
    const value = readField(row, name);
    if (value !== undefined) writeField(picked, name, value);
  }
  return picked;
}
