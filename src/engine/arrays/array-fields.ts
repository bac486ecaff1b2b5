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

/** One field of an element: `['.b', 'x']` for `a[0].b=x`, `['', 'x']` for `a[0]=x`. */
type ElementField = readonly [rest: string, value: string];

/** The fields of one array element: a value, an object or a nested array. */
export type Element = readonly ElementField[];

const SUBSCRIPT = /\[(0|[1-9]\d{0,8})\]/y;

/** Splits `a[12].b` for the array `a`. `undefined` if the field is not in an element. */
export function splitElementName(
  field: string,
  array: string,
): { readonly index: number; readonly rest: string } | undefined {
  if (!field.startsWith(array)) return undefined;
  SUBSCRIPT.lastIndex = array.length;
  const digits = SUBSCRIPT.exec(field)?.[1];
  if (digits === undefined) return undefined;
  return { index: Number(digits), rest: field.slice(SUBSCRIPT.lastIndex) };
}

/** The elements of an array, up to the first missing index. */
export function readElements(row: Fields, array: string): readonly Element[] {
  const byIndex = elementsByIndex(row, array);
  const elements: Element[] = [];
  for (;;) {
    const element = byIndex.get(elements.length);
    if (element === undefined) return elements;
    elements.push(element);
  }
}

/** All elements of an array in order, skipping missing indices. */
export function readSparseElements(row: Fields, array: string): readonly Element[] {
  const byIndex = [...elementsByIndex(row, array)];
  return byIndex.sort(([a], [b]) => a - b).map(([, element]) => element);
}

function elementsByIndex(row: Fields, array: string): ReadonlyMap<number, Element> {
  const byIndex = new Map<number, ElementField[]>();
  for (const field in row) {
    const place = splitElementName(field, array);
    const value = place === undefined ? undefined : readField(row, field);
    if (place === undefined || value === undefined) continue;
    const known = byIndex.get(place.index);
    if (known === undefined) byIndex.set(place.index, [[place.rest, value]]);
    else known.push([place.rest, value]);
  }
  return byIndex;
}

/** A copy of the row without the elements of an array. */
export function fieldsWithoutArray(
  row: Fields,
  array: string,
): readonly (readonly [name: string, value: string])[] {
  const fields: [string, string][] = [];
  for (const name in row) {
    const value = readField(row, name);
    if (value !== undefined && splitElementName(name, array) === undefined) fields.push([name, value]);
  }
  return fields;
}

export function rowOf(fields: readonly (readonly [name: string, value: string])[]): Fields {
  const row: Fields = {};
  for (const [name, value] of fields) writeField(row, name, value);
  return row;
}
