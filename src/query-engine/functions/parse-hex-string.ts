import { readField } from '../event.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { charset, decodeBytes } from '../text/charset.ts';

/** The text whose bytes are written as hexadecimal digits. `0x` or `16#` in front and other characters are skipped. */
export const parseHexString = defineValue({
  name: 'parseHexString',
  output: '_parsehexstring',
  uncertain: ['An odd number of digits gives no result.'],
  parameters: {
    field: required(fieldName, { unnamed: true }),
    charset: withDefault(charset, 'UTF-8'),
    as: optional(fieldName),
  },
  compile:
    ({ field, charset: name }) =>
    (row) => {
      const value = readField(row, field);
      if (value === undefined) return undefined;
      const digits = value.replace(/^(?:0x|16#)/i, '').replace(/[^\da-f]+/gi, '');
      return digits.length % 2 === 1 ? undefined : decodeBytes(Buffer.from(digits, 'hex'), name);
    },
});
