import { arrayName } from '../arrays/array-arguments.ts';
import { ArrayFields } from '../arrays/array-fields.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { readBits } from '../numbers/bits.ts';
import { type NamedBit, namedBits } from '../numbers/flag-names.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { fieldName, flag, text } from '../signature/argument-types.ts';
import { defineTransform, defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { joinTexts } from '../text/text-limit.ts';

/** Makes a field `true` or `false` of each named bit of a number. */
export const bitfieldExtractFlags = defineTransform({
  name: 'bitfield:extractFlags',
  parameters: {
    field: required(fieldName),
    output: required(namedBits),
    onlyTrue: withDefault(flag, false),
  },
  compile: ({ field, output, onlyTrue }) =>
    editStep(
      (row) => {
        const bits = readBits(readField(row, field) ?? '');
        if (bits === undefined) return;
        for (const { mask, name } of output) {
          const isSet = (bits & mask) !== 0n;
          if (isSet || !onlyTrue) writeField(row, name, String(isSet));
        }
      },
      (before) =>
        withColumns(
          before,
          output.map(({ name }) => name),
        ),
    ),
});

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
      const names = setFlags(row, field, flagNames);
      if (names !== undefined) asArray.replace(row, names);
    }, unknownColumns),
});

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
      const names = setFlags(row, field, flagNames);
      return names && joinTexts(names, separator);
    },
});

/** The names of the bits that are set in a field's number; `undefined` without a number. */
function setFlags(row: Fields, field: string, flagNames: readonly NamedBit[]): string[] | undefined {
  const bits = readBits(readField(row, field) ?? '');
  if (bits === undefined) return undefined;
  return flagNames.filter(({ mask }) => (bits & mask) !== 0n).map(({ name }) => name);
}
