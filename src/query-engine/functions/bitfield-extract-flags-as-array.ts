import { fieldName } from '../argument-types.ts';
import { arrayName } from '../array-arguments.ts';
import { ArrayFields } from '../array-fields.ts';
import { readBits } from '../bits.ts';
import { readField } from '../event.ts';
import { namedBits } from '../flag-names.ts';
import { defineTransform, required, withDefault } from '../function-spec.ts';
import { editStep, unknownColumns } from '../operators/edit.ts';

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
