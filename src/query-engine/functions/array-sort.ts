import { arrayName } from '../arrays/array-arguments.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { oneOf, sortOrder } from '../signature/argument-types.ts';
import { defineTransform, optional, required, withDefault } from '../signature/function-spec.ts';
import { parseNumber } from '../value.ts';

type Direction = 1 | -1;

/**
 * Sorts the elements of an array as texts, without regard to case, or as numbers. Elements that are no numbers come
 * after those that are, sorted as texts. If the target array was longer, its remaining elements stay after the result.
 */
export const arraySort = defineTransform({
  name: 'array:sort',
  parameters: {
    array: required(arrayName, { unnamed: true }),
    order: withDefault(sortOrder, 1),
    type: withDefault(oneOf('string', 'number'), 'string'),
    asArray: optional(arrayName),
  },
  compile({ array, order, type, asArray = array }) {
    const sort = type === 'number' ? sortNumbers : sortTexts;
    return editStep((row) => asArray.write(row, sort(array.valuesIn(row), order)), unknownColumns);
  },
});

function sortTexts(values: readonly string[], direction: Direction): string[] {
  return sortBy(values, (value) => value.toLowerCase(), direction);
}

function sortNumbers(values: readonly string[], direction: Direction): string[] {
  const numbers = values.filter((value) => parseNumber(value) !== undefined);
  const texts = values.filter((value) => parseNumber(value) === undefined);
  return [...sortBy(numbers, (value) => parseNumber(value)!, direction), ...sortTexts(texts, direction)];
}

function sortBy<K extends string | number>(
  values: readonly string[],
  keyOf: (value: string) => K,
  direction: Direction,
): string[] {
  return values
    .map((value) => ({ value, key: keyOf(value) }))
    .sort((a, b) => (a.key < b.key ? -direction : a.key > b.key ? direction : 0))
    .map(({ value }) => value);
}
