import { arrayName } from '../arrays/array-arguments.ts';
import {
  ArrayFields,
  fieldsWithoutArray,
  readElements,
  rowOf,
  splitElementName,
  withoutBrackets,
} from '../arrays/array-fields.ts';
import { somePasses } from '../columns/column-test.ts';
import { readField, writeField } from '../event.ts';
import type { Columns } from '../operators/operator.ts';
import { editStep, rowStep, unknownColumns } from '../operators/row-code.ts';
import { compileRegexArgument } from '../regex/regex-argument.ts';
import {
  expressions,
  fieldName,
  flag,
  integer,
  oneOf,
  regexFlags,
  regexSource,
  sortOrder,
  text,
} from '../signature/argument-types.ts';
import { define, optional, required, unnamed, withDefault } from '../signature/function-spec.ts';
import { limitedText } from '../text/text-limit.ts';
import { parseNumber, toText } from '../value.ts';

/** Appends values to an array, or creates one. Null values are skipped. */
export const arrayAppend = define.transform({
  name: 'array:append',
  parameters: { array: unnamed(arrayName), values: required(expressions) },
  compile: ({ array, values }) =>
    editStep(
      (row, _run, added) => {
        let index = array.lengthIn(row);
        for (const text of added.map(toText)) {
          if (text === undefined) continue;
          writeField(row, array.fieldAt(index), text);
          index += 1;
        }
      },
      unknownColumns,
      values,
    ),
});

/** Keeps events whose array contains a value. */
export const arrayContains = define.filter({
  name: 'array:contains',
  parameters: { array: unnamed(arrayName), value: required(text) },
  compile: ({ array, value }) => ({ test: (row) => array.some(row, (element) => element === value) }),
});

/** Removes duplicate elements; the first occurrence stays. An existing output array is replaced. */
export const arrayDedup = define.transform({
  name: 'array:dedup',
  uncertain: ['The result replaces all elements of an existing target array.'],
  parameters: { array: unnamed(arrayName), asArray: optional(arrayName) },
  compile: ({ array, asArray = array }) =>
    editStep((row) => {
      const values = array.valuesIn(row);
      if (values.length > 0) asArray.replace(row, [...new Set(values)]);
    }, unknownColumns),
});

/** Removes the elements of an array up to its first gap. */
export const arrayDrop = define.transform({
  name: 'array:drop',
  parameters: { array: unnamed(arrayName) },
  compile: ({ array }) =>
    editStep(
      (row) => array.clear(row),
      (before) => dropColumns(before, array),
    ),
});

function dropColumns(before: Columns, array: ArrayFields): Columns {
  const dropped = new Set<string>();
  while (before?.includes(array.fieldAt(dropped.size))) dropped.add(array.fieldAt(dropped.size));
  return before?.filter((name) => !dropped.has(name));
}

/** Number of elements up to the first gap; 0 without an array. */
export const arrayLength = define.value({
  name: 'array:length',
  uncertain: ['A name without brackets, as in `array:length(a)`, means the same array.'],
  parameters: { array: unnamed(arrayName) },
  compile:
    ({ array }) =>
    (row) =>
      array.lengthIn(row),
});

/** Keeps events in whose array an element matches a regular expression. Named groups extract nothing. */
export const arrayRegex = define.filter({
  name: 'array:regex',
  parameters: { array: unnamed(arrayName), regex: required(regexSource), flags: optional(regexFlags) },
  compile({ array, regex, flags }, call) {
    const { test } = compileRegexArgument(regex, flags, call);
    return {
      test: (row, run) => somePasses((passes) => array.some(row, (value) => passes(test(value, run)))),
    };
  },
});

/** Renames an array and replaces any array with the new name. An array without elements changes nothing. */
export const arrayRename = define.transform({
  name: 'array:rename',
  uncertain: ['If the array is missing, an existing target array keeps its elements.'],
  parameters: { array: unnamed(arrayName), asArray: required(arrayName) },
  compile: ({ array, asArray }) =>
    editStep((row) => {
      const values = array.valuesIn(row);
      if (values.length === 0) return;
      array.clear(row);
      asArray.replace(row, values);
    }, unknownColumns),
});

type Direction = 1 | -1;

/**
 * Sorts the elements of an array as strings, ignoring case, or as numbers. Elements that are not numbers come last,
 * sorted as strings. If the output array was longer, its remaining elements stay.
 */
export const arraySort = define.transform({
  name: 'array:sort',
  parameters: {
    array: unnamed(arrayName),
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

const MAX_INDEX = 1_000_000_000;
const index = integer({ min: 0, max: MAX_INDEX });

/** Concatenates the elements of an array between two indices, inclusive, up to the first gap. */
export const concatArray = define.value({
  name: 'concatArray',
  parameters: {
    field: unnamed(fieldName),
    separator: withDefault(text, ''),
    prefix: withDefault(text, ''),
    suffix: withDefault(text, ''),
    from: withDefault(index, 0),
    to: optional(index),
  },
  compile({ field, separator, prefix, suffix, from, to = MAX_INDEX }, call) {
    if (to < from) call.fail('"to" of concatArray() must not be less than "from"', 'to');
    const array = new ArrayFields(withoutBrackets(field));
    return (row) => {
      const first = readField(row, array.fieldAt(from));
      if (first === undefined) return undefined;
      let joined = prefix + first;
      for (let position = from + 1; position <= to; position += 1) {
        const value = readField(row, array.fieldAt(position));
        if (value === undefined) break;
        joined = limitedText(joined + separator + value);
      }
      return joined + suffix;
    };
  },
});

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
          const event = rowOf(others);
          const id = readField(event, '@id');
          for (const [rest, value] of element) writeField(event, nameOf(rest), value);
          event[INDEX] = String(index);
          if (id !== undefined) event['@id'] = `${id}__${index}`;
          emit(event);
        }
      },
      (before) => splitColumns(before, array, nameOf),
    );
  },
});

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
