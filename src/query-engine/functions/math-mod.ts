import { fieldNumber, numberOrField } from '../numbers/number-or-field.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';

/** What remains of a number after its division by another, with the sign of the divisor. */
export const mathMod = defineValue({
  name: 'math:mod',
  output: '_mod',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    divisor: required(numberOrField),
    as: optional(fieldName),
  },
  compile({ field, divisor: readDivisor }) {
    const read = fieldNumber(field);
    return (row) => {
      const number = read(row);
      const divisor = readDivisor(row);
      if (number === undefined || divisor === undefined) return undefined;
      const rest = number % divisor;
      return rest !== 0 && rest < 0 !== divisor < 0 ? rest + divisor : rest;
    };
  },
});
