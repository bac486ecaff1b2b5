import { computed } from '../columns/expression.ts';
import { expression, fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';
import { countGraphemes } from '../text/graphemes.ts';
import { toText } from '../value.ts';

/** How many characters a text has, as a reader counts them. */
export const textLength = defineValue({
  name: 'text:length',
  output: '_length',
  parameters: { string: required(expression, { unnamed: true }), as: optional(fieldName) },
  compile: ({ string }) =>
    computed([string], (value) => {
      const text = toText(value);
      return text === undefined ? undefined : countGraphemes(text);
    }),
});
