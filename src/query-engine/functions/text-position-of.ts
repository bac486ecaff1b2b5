import { computed } from '../columns/expression.ts';
import { expression, fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';
import { isPlainText, splitGraphemes } from '../text/graphemes.ts';
import { toNumber, toText, type Value } from '../value.ts';

/**
 * Where a character or a text stands in another one for the n-th time, counted from 0 in characters as a reader
 * counts them. Nothing is written when it doesn't.
 */
export const textPositionOf = defineValue({
  name: 'text:positionOf',
  output: '_position',
  uncertain: [
    'Occurrences may overlap: the second "aa" in "aaa" is at position 1.',
    'If the character or substring does not occur, there is no result.',
  ],
  parameters: {
    string: required(expression, { unnamed: true }),
    character: required(expression),
    begin: optional(expression),
    occurrence: optional(expression),
    as: optional(fieldName),
  },
  compile: ({ string, character, begin, occurrence }) =>
    computed([string, character, begin, occurrence], (value, searched, first, nth) => {
      const text = toText(value);
      const wanted = toText(searched);
      const start = begin === undefined ? 0 : wholeNumber(first);
      const count = occurrence === undefined ? 1 : wholeNumber(nth);
      if (text === undefined || !wanted || start === undefined || !count) return undefined;
      return isPlainText(text)
        ? findPlainOccurrence(text, wanted, start, count)
        : findOccurrence(splitGraphemes(text), splitGraphemes(wanted), start, count);
    }),
});

/** A whole number from 0 on. */
function wholeNumber(value: Value): number | undefined {
  const number = toNumber(value);
  return number !== undefined && Number.isInteger(number) && number >= 0 ? number : undefined;
}

function findPlainOccurrence(text: string, wanted: string, start: number, count: number): number | undefined {
  let position = start - 1;
  for (let found = 0; found < count; found += 1) {
    position = text.indexOf(wanted, position + 1);
    if (position === -1) return undefined;
  }
  return position;
}

function findOccurrence(
  text: readonly string[],
  wanted: readonly string[],
  start: number,
  count: number,
): number | undefined {
  let found = 0;
  for (let position = start; position + wanted.length <= text.length; position += 1) {
    if (!wanted.every((character, index) => text[position + index] === character)) continue;
    found += 1;
    if (found === count) return position;
  }
  return undefined;
}
