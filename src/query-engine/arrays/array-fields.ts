import { type Fields, readField, writeField } from '../event.ts';

/** Number of element names in the cache. */
const MAX_KEPT_NAMES = 1000;

/** Most functions accept array names with and without brackets. */
export function withoutBrackets(name: string): string {
  return name.endsWith('[]') ? name.slice(0, -2) : name;
}

/** An array `a[]`: the fields `a[0]`, `a[1]`, … up to the first missing one. */
export class ArrayFields {
  /** Without brackets. */
  readonly name: string;
  readonly #fieldNames: string[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** The name of an element's field. */
  fieldAt(index: number): string {
    const known = this.#fieldNames[index];
    if (known !== undefined) return known;
    const name = `${this.name}[${index}]`;
    if (index === this.#fieldNames.length && index < MAX_KEPT_NAMES) this.#fieldNames.push(name);
    return name;
  }

  lengthIn(row: Fields): number {
    let length = 0;
    while (readField(row, this.fieldAt(length)) !== undefined) length += 1;
    return length;
  }

  valuesIn(row: Fields): string[] {
    const values: string[] = [];
    for (;;) {
      const value = readField(row, this.fieldAt(values.length));
      if (value === undefined) return values;
      values.push(value);
    }
  }

  some(row: Fields, test: (value: string) => boolean): boolean {
    for (let index = 0; ; index += 1) {
      const value = readField(row, this.fieldAt(index));
      if (value === undefined) return false;
      if (test(value)) return true;
    }
  }

  /** Writes the first elements and leaves the others unchanged. */
  write(row: Fields, values: readonly string[]): void {
    for (const [index, value] of values.entries()) writeField(row, this.fieldAt(index), value);
  }

  /** Replaces all elements. */
  replace(row: Fields, values: readonly string[]): void {
    this.write(row, values);
    this.clear(row, values.length);
  }

  /** Removes the elements from an index on. */
  clear(row: Fields, from = 0): void {
    for (let index = from; readField(row, this.fieldAt(index)) !== undefined; index += 1) {
      delete row[this.fieldAt(index)];
    }
  }
}
