import { arrayName } from '../arrays/array-arguments.ts';
import { ArrayFields } from '../arrays/array-fields.ts';
import { readField } from '../event.ts';
import { readBits } from '../numbers/bits.ts';
import { namedBits } from '../numbers/flag-names.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineTransform, required, withDefault } from '../signature/function-spec.ts';

/** Makes an array of the names of the bits that are set in a number, the lowest one first. */
export const bitfieldExtractFlagsAsArray = defineTransform({
  name: 'bitfield:extractFlagsAsArray',
  parameters: {
    field: required(fieldName),
    flagNames: required(namedBits),
    asArray: withDefault(arrayName, new ArrayFields('_flags')),
  },
  compile: ({ field, flagNames, asArray }) =>
    editStep((row) => {
      const value = readField(row, field);
      const bits = value === undefined ? undefined : readBits(value);
      if (bits === undefined) return;
      asArray.replace(
        row,
        flagNames.filter(({ mask }) => (bits & mask) !== 0n).map(({ name }) => name),
      );
    }, unknownColumns),
});
