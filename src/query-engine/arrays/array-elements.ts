import { type Fields, readField, writeField } from '../event.ts';

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
