import { readField } from '../event.ts';
import { readBits } from '../numbers/bits.ts';
import { namedBits } from '../numbers/flag-names.ts';
import { fieldName, text } from '../signature/argument-types.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { joinTexts } from '../text/text-limit.ts';

/** The names of the bits that are set in a number, the lowest one first; the empty text when none is. */
export const bitfieldExtractFlagsAsString = defineValue({
  name: 'bitfield:extractFlagsAsString',
  output: '_flags',
  parameters: {
    field: required(fieldName),
    flagNames: required(namedBits),
    separator: withDefault(text, ' '),
    as: optional(fieldName),
  },
  compile:
    ({ field, flagNames, separator }) =>
    (row) => {
      const value = readField(row, field);
      const bits = value === undefined ? undefined : readBits(value);
      if (bits === undefined) return undefined;
      const names = flagNames.filter(({ mask }) => (bits & mask) !== 0n).map(({ name }) => name);
      return joinTexts(names, separator);
    },
});
