import { computed } from '../columns/expression.ts';
import { expression, fieldName, flag, integer } from '../signature/argument-types.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { editDistance } from '../text/edit-distance.ts';
import { toText } from '../value.ts';

/** The parameters that both functions for edit distances have. */
export const editDistanceParameters = {
  target: required(expression),
  maxDistance: required(integer({ min: 0, max: 1000 })),
  ignoreCase: withDefault(flag, false, { aliases: ['caseInsensitive'] }),
  allowTranspositions: withDefault(flag, true),
};

/** How many edits make one text of another. Nothing is written when there are more than `maxDistance`. */
export const textEditDistance = defineValue({
  name: 'text:editDistance',
  output: '_distance',
  uncertain: ['A distance above `maxDistance` sets no field.'],
  parameters: { ...editDistanceParameters, reference: required(expression), as: optional(fieldName) },
  compile({ target, reference, maxDistance, ignoreCase, allowTranspositions: transpositions }) {
    const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
    return computed([target, reference], (left, right) => {
      const [a, b] = [toText(left), toText(right)];
      if (a === undefined || b === undefined) return undefined;
      return editDistance(fold(a), fold(b), { maxDistance, transpositions });
    });
  },
});
