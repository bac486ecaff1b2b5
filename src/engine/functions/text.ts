import { editDistance } from '../../core/edit-distance.ts';
import { timeZoneOrUtc } from '../../core/time-zone.ts';
import { arrayName } from '../arrays/array-arguments.ts';
import { ArrayFields } from '../arrays/array-fields.ts';
import { computed, converted, convertedFields } from '../columns/expression.ts';
import { isTrue } from '../columns/predicate.ts';
import { readField, writeField } from '../event.ts';
import { type Edit, editStep, unknownColumns } from '../operators/row-code.ts';
import { compilePattern } from '../pattern-error.ts';
import { QueryLimitError } from '../query-limit-error.ts';
import {
  expression,
  expressions,
  fieldName,
  fieldNames,
  flag,
  integer,
  locale,
  oneOf,
  text,
  timeZone,
} from '../signature/argument-types.ts';
import {
  type ArgumentsOf,
  define,
  type FunctionSpec,
  optional,
  type Parameter,
  rawstring,
  required,
  unnamed,
  withDefault,
} from '../signature/function-spec.ts';
import { defineTextFunction } from '../signature/text-function.ts';
import { graphemesOf } from '../text/graphemes.ts';
import { compileTextFormat } from '../text/text-format.ts';
import { toNumber, toText, type Value } from '../value.ts';

const inLowerCase = (text: string, language: string | undefined): string =>
  language === undefined ? text.toLowerCase() : text.toLocaleLowerCase(language);

export const lower = defineLetterCase('lower', inLowerCase, { type: optional(locale) });

export const upper = defineLetterCase('upper', (text, language) =>
  language === undefined ? text.toUpperCase() : text.toLocaleUpperCase(language),
);

function defineLetterCase(
  name: string,
  change: (text: string, language: string | undefined) => string,
  more: { readonly type?: Parameter<string | undefined> } = {},
): FunctionSpec {
  return define.value({
    name,
    parameters: { field: unnamed(fieldName), locale: optional(locale), ...more },
    compile: ({ field, locale: language, type }) =>
      converted(field, (value) => change(value, language ?? type)),
  });
}

/** Converts the value of a field, its name, or both to lower case, in place. `*` means all fields. */
export const lowercase = define.transform({
  name: 'lowercase',
  parameters: {
    field: unnamed(fieldName),
    include: withDefault(oneOf('values', 'fields', 'both'), 'values'),
    locale: optional(locale),
  },
  compile({ field, include, locale: language }) {
    const lower = (text: string): string => inLowerCase(text, language);
    const newNameOf = (name: string): string =>
      include !== 'values' && (field === '*' || name === field) ? lower(name) : name;
    const newValueOf = (value: string): string => (include === 'fields' ? value : lower(value));
    return editStep(
      (row) => {
        for (const name of field === '*' ? Object.keys(row) : [field]) {
          const value = readField(row, name);
          if (value === undefined) continue;
          if (newNameOf(name) !== name) delete row[name];
          writeField(row, newNameOf(name), newValueOf(value));
        }
      },
      (before) => before && [...new Set(before.map(newNameOf))],
    );
  },
});

/** Length of a field's value in UTF-16 code units. */
export const length = defineTextFunction({
  name: 'length',
  convert: ({ length }) => length,
});

/** Length of a string in grapheme clusters. */
export const textLength = define.value({
  name: 'text:length',
  parameters: { string: unnamed(expression) },
  compile: ({ string }) =>
    computed([string], (value) => {
      const text = toText(value);
      return text === undefined ? undefined : graphemesOf(text).length;
    }),
});

/** How a string has another one in it, by the name of the filter. */
const TESTS = { contains: 'includes', startsWith: 'startsWith', endsWith: 'endsWith' } as const;

/** Filters that compare the strings of two expressions. False if either is null. */
export const textTests: readonly FunctionSpec[] = Object.entries(TESTS).map(([name, has]) =>
  define.filter({
    name: `text:${name}`,
    parameters: { string: unnamed(expression), substring: required(expression) },
    compile: ({ string, substring }) => ({
      test: isTrue(
        computed([string, substring], (value, wanted) => {
          const [text, part] = [toText(value), toText(wanted)];
          return text !== undefined && part !== undefined && text[has](part);
        }),
      ),
    }),
  }),
);

/**
 * The position of the n-th occurrence of a character or substring, counted from 0 in grapheme clusters. No result if
 * there is none.
 */
export const textPositionOf = define.value({
  name: 'text:positionOf',
  output: '_position',
  uncertain: [
    'Occurrences may overlap: the second "aa" in "aaa" is at position 1.',
    'If the character or substring does not occur, there is no result.',
  ],
  parameters: {
    string: unnamed(expression),
    character: required(expression),
    begin: optional(expression),
    occurrence: optional(expression),
  },
  compile: ({ string, character, begin, occurrence }) =>
    computed([string, character, begin, occurrence], (value, searched, first, nth) => {
      const text = toText(value);
      const part = toText(searched);
      const start = begin === undefined ? 0 : wholeNumber(first);
      const count = occurrence === undefined ? 1 : wholeNumber(nth);
      if (text === undefined || !part || start === undefined || !count) return undefined;
      return findOccurrence(graphemesOf(text), [...graphemesOf(part)], start, count);
    }),
});

/** A non-negative integer. */
function wholeNumber(value: Value): number | undefined {
  const number = toNumber(value);
  return number !== undefined && Number.isInteger(number) && number >= 0 ? number : undefined;
}

function findOccurrence(
  text: ArrayLike<string>,
  part: readonly string[],
  start: number,
  count: number,
): number | undefined {
  let occurrence = 0;
  for (let position = start; position + part.length <= text.length; position += 1) {
    if (!part.every((character, index) => text[position + index] === character)) continue;
    occurrence += 1;
    if (occurrence === count) return position;
  }
  return undefined;
}

/** The characters from `begin` to `end`, exclusive. Bounds outside the string give no result. */
export const textSubstring = define.value({
  name: 'text:substring',
  output: '_string',
  parameters: { string: unnamed(expression), begin: optional(expression), end: optional(expression) },
  compile: ({ string, begin, end }) =>
    computed([string, begin, end], (value, first, last) => {
      const text = toText(value);
      const from = begin === undefined ? 0 : toNumber(first);
      if (text === undefined || from === undefined) return undefined;
      const characters = graphemesOf(text);
      const to = end === undefined ? characters.length : toNumber(last);
      const isInside = to !== undefined && from >= 0 && from <= to && to <= characters.length;
      if (!isInside || !Number.isInteger(from) || !Number.isInteger(to)) return undefined;
      const part = characters.slice(from, to);
      return typeof part === 'string' ? part : part.join('');
    }),
});

const TRIM = { both: 'trim', start: 'trimStart', end: 'trimEnd' } as const;

export const textTrim = define.value({
  name: 'text:trim',
  parameters: { field: unnamed(fieldName), mode: withDefault(oneOf('both', 'start', 'end'), 'both') },
  compile: ({ field, mode }) => converted(field, (value) => value[TRIM[mode]]()),
});

/** CSI sequences such as colors (`ESC [ … m`), OSC sequences (`ESC ] … BEL`), and two-character sequences. */
const ANSI_CODE = new RegExp(
  [
    '\\u001b\\[[0-?]*[ -/]*[@-~]',
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)',
    '\\u001b[@-Z\\\\^_]',
  ].join('|'),
  'g',
);

/** Removes ANSI escape codes, such as colors. */
export const stripAnsiCodes = define.value({
  name: 'stripAnsiCodes',
  output: ({ field }) => field,
  parameters: { field: rawstring },
  compile: ({ field }) => converted(field, (value) => value.replace(ANSI_CODE, '')),
});

/** Shannon entropy of a string, in bits per character. */
export const shannonEntropy = defineTextFunction({
  name: 'shannonEntropy',
  output: '_shannonentropy',
  convert(text) {
    const counts = new Map<string, number>();
    let total = 0;
    for (const character of text) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
      total += 1;
    }
    let entropy = 0;
    for (const count of counts.values()) entropy -= (count / total) * Math.log2(count / total);
    return entropy;
  },
});

/** Formats fields like `printf`. */
export const format = define.value({
  name: 'format',
  uncertain: [
    'A missing field prints as null, even with %s.',
    'An integer with more than 1,000 digits is not treated as a number.',
  ],
  parameters: {
    format: unnamed(text),
    field: required(fieldNames),
    timezone: withDefault(timeZone, timeZoneOrUtc('UTC')),
  },
  compile(args, call) {
    const { field, timezone } = args;
    const write = compilePattern(
      'format',
      (problem) => call.fail(problem, 'format'),
      () => compileTextFormat(args.format),
    );
    return convertedFields(field, (values) => write(values, timezone));
  },
});

const editDistanceParameters = {
  target: required(expression),
  maxDistance: required(integer({ min: 0, max: 1000 })),
  ignoreCase: withDefault(flag, false, { aliases: ['caseInsensitive'] }),
  allowTranspositions: withDefault(flag, true),
};

/** The edit distance between two strings. No result above `maxDistance`. */
export const textEditDistance = define.value({
  name: 'text:editDistance',
  output: '_distance',
  uncertain: ['A distance above `maxDistance` sets no field.'],
  parameters: { ...editDistanceParameters, reference: required(expression) },
  compile: (args) => computed([args.target, args.reference], distanceFunction(args)),
});

/** The edit distances from one string to several: `_distance[0].reference` and `_distance[0].distance`, and so on. */
export const textEditDistanceAsArray = define.transform({
  name: 'text:editDistanceAsArray',
  uncertain: [
    'Elements have the members "reference" and "distance".',
    'References with a distance above `maxDistance` are omitted.',
  ],
  parameters: {
    ...editDistanceParameters,
    references: required(expressions),
    asArray: withDefault(arrayName, new ArrayFields('_distance')),
  },
  compile(args) {
    const { target, references, asArray } = args;
    const distanceOf = distanceFunction(args);
    const edit: Edit = (row, _run, [text, ...others]) => {
      let count = 0;
      for (const reference of others) {
        const distance = distanceOf(text, reference);
        if (distance === undefined) continue;
        writeField(row, `${asArray.fieldAt(count)}.reference`, toText(reference)!);
        writeField(row, `${asArray.fieldAt(count)}.distance`, String(distance));
        count += 1;
      }
    };
    return editStep(edit, unknownColumns, [target, ...references]);
  },
});

/** Steps of a comparison: about a tenth of a second. */
const MAX_CELLS = 5_000_000;

/** Returns `undefined` above `maxDistance` and for null. */
function distanceFunction({
  maxDistance,
  ignoreCase,
  allowTranspositions: transpositions,
}: Omit<ArgumentsOf<typeof editDistanceParameters>, 'target'>) {
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  return (left: Value, right: Value): number | undefined => {
    const [a, b] = [toText(left), toText(right)];
    if (a === undefined || b === undefined) return undefined;
    const isNear = Math.abs(a.length - b.length) <= maxDistance;
    if (isNear && a.length * Math.min(b.length, 2 * maxDistance + 1) > MAX_CELLS) {
      throw new QueryLimitError(
        `text:editDistance() can't compare strings of ${a.length} and ${b.length} characters with maxDistance=${maxDistance}. Shorten the strings, or use a smaller maxDistance.`,
      );
    }
    return editDistance(fold(a), fold(b), maxDistance, transpositions);
  };
}
