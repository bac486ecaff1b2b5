import { computed } from '../columns/expression.ts';
import { expression, fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';
import { isPlainText, splitGraphemes } from '../text/graphemes.ts';
import { toNumber, toText } from '../value.ts';

/** The characters from `begin` up to `end`, which is not included. Bounds outside the text give no result. */
export const textSubstring = defineValue({
  name: 'text:substring',
  output: '_string',
  parameters: {
    string: required(expression, { unnamed: true }),
    begin: optional(expression),
    end: optional(expression),
    as: optional(fieldName),
  },
  compile: ({ string, begin, end }) =>
    computed([string, begin, end], (value, first, last) => {
      const text = toText(value);
      const from = begin === undefined ? 0 : toNumber(first);
      if (text === undefined || from === undefined) return undefined;
      const characters = isPlainText(text) ? text : splitGraphemes(text);
      const to = end === undefined ? characters.length : toNumber(last);
      const isInside = to !== undefined && from >= 0 && from <= to && to <= characters.length;
      if (!isInside || !Number.isInteger(from) || !Number.isInteger(to)) return undefined;
      const part = characters.slice(from, to);
      return typeof part === 'string' ? part : part.join('');
    }),
});
