import { fieldNumber, numberOrField } from '../numbers/number-or-field.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';

/** A number to the power of another. */
export const mathPow = defineValue({
  name: 'math:pow',
  output: '_pow',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    exponent: required(numberOrField),
    as: optional(fieldName),
  },
  compile({ field, exponent: readExponent }) {
    const read = fieldNumber(field);
    return (row) => {
      const number = read(row);
      const exponent = readExponent(row);
      return number === undefined || exponent === undefined ? undefined : number ** exponent;
    };
  },
});
