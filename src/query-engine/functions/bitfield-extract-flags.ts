import { readField, writeField } from '../event.ts';
import { readBits } from '../numbers/bits.ts';
import { namedBits } from '../numbers/flag-names.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName, flag } from '../signature/argument-types.ts';
import { defineTransform, required, withDefault } from '../signature/function-spec.ts';

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
        const value = readField(row, field);
        const bits = value === undefined ? undefined : readBits(value);
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
