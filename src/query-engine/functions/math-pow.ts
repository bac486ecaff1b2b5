import { fieldName } from '../argument-types.ts';
import { defineValue, optional, required } from '../function-spec.ts';
import { fieldNumber, numberOrField } from '../number-or-field.ts';

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
