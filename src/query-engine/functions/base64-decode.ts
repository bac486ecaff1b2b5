import { readField } from '../event.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { charset, decodeBytes } from '../text/charset.ts';

/** Decodes Base64. Characters outside its alphabet are skipped; what gives no text gives no result. */
export const base64Decode = defineValue({
  name: 'base64Decode',
  output: '_base64Decode',
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
      const digits = value.replace(/[^A-Za-z0-9+/]+/g, '');
      // One digit that is left over is less than a byte.
      return digits.length % 4 === 1 ? undefined : decodeBytes(Buffer.from(digits, 'base64'), name);
    },
});
