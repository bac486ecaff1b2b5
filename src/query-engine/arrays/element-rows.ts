import { type Fields, writeField } from '../event.ts';
import { fieldsWithoutArray, rowOf } from './array-elements.ts';
import type { ArrayFields } from './array-fields.ts';

/**
 * One row for each element of an array: the event without the array, and the element as the field `variable`.
 *
 * Leaving the array out keeps the work for an event in proportion to its size.
 */
export function elementRows(row: Fields, array: ArrayFields, variable: string): Fields[] {
  const values = array.valuesIn(row);
  if (values.length === 0) return [];
  const others = fieldsWithoutArray(row, array.name);
  return values.map((value) => {
    const element = rowOf(others);
    writeField(element, variable, value);
    return element;
  });
}
