import { ArrayFields, withoutBrackets } from '../arrays/array-fields.ts';
import { readField } from '../event.ts';
import { fieldName, integer, text } from '../signature/argument-types.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { limitedText } from '../text/text-limit.ts';

const MAX_INDEX = 1_000_000_000;
const index = integer({ min: 0, max: MAX_INDEX });

/** The elements of an array from one index to another, both included, as one text. It ends at the first gap. */
export const concatArray = defineValue({
  name: 'concatArray',
  output: '_concatArray',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    separator: withDefault(text, ''),
    prefix: withDefault(text, ''),
    suffix: withDefault(text, ''),
    from: withDefault(index, 0),
    to: optional(index),
    as: optional(fieldName),
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
