import {
  type Element,
  fieldsWithoutArray,
  readElements,
  rowOf,
  splitElementName,
  withoutBrackets,
} from '../arrays/array-fields.ts';
import { type Fields, readField, writeField } from '../event.ts';
import type { Columns } from '../operators/operator.ts';
import { rowStep } from '../operators/row-code.ts';
import { fieldName, flag } from '../signature/argument-types.ts';
import { define, withDefault } from '../signature/function-spec.ts';

const INDEX = '_index';

/**
 * One event per array element. Events without the array are dropped.
 *
 * `a[1].b` becomes `a.b`, or `b` with `strip`. An element that is a value keeps the name of the array.
 */
export const split = define.transform({
  name: 'split',
  uncertain: [
    'Events without the array are dropped.',
    "With `strip=true`, an element that is a plain value keeps the array's name.",
  ],
  parameters: {
    field: withDefault(fieldName, '_events', { unnamed: true }),
    strip: withDefault(flag, false),
  },
  compile({ field, strip }) {
    const array = withoutBrackets(field);
    const nameOf = (rest: string): string => (strip && rest !== '' ? rest.replace(/^\./, '') : array + rest);
    return rowStep(
      (_run, emit) => (row) => {
        const elements = readElements(row, array);
        if (elements.length === 0) return;
        const others = fieldsWithoutArray(row, array);
        for (const [index, element] of elements.entries()) {
          emit(elementEvent(others, element, index, nameOf));
        }
      },
      (before) => splitColumns(before, array, nameOf),
    );
  },
});

function elementEvent(
  others: readonly (readonly [name: string, value: string])[],
  element: Element,
  index: number,
  nameOf: (rest: string) => string,
): Fields {
  const event = rowOf(others);
  const id = readField(event, '@id');
  for (const [rest, value] of element) writeField(event, nameOf(rest), value);
  event[INDEX] = String(index);
  if (id !== undefined) event['@id'] = `${id}__${index}`;
  return event;
}

/** Without known columns of the array, those of its elements are unknown. */
function splitColumns(before: Columns, array: string, nameOf: (rest: string) => string): Columns {
  let isKnown = false;
  const names = before?.map((name) => {
    const place = splitElementName(name, array);
    isKnown ||= place !== undefined;
    return place === undefined ? name : nameOf(place.rest);
  });
  return names && isKnown ? [...new Set([...names, INDEX])] : undefined;
}
