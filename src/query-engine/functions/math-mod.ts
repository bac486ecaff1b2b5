import { fieldNumber, numberOrField } from '../numbers/number-or-field.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';

/** The remainder of a division, with the sign of the divisor. Both numbers are rounded down first. */
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
      const whole = Math.floor(divisor);
      const rest = Math.floor(number) % whole;
      return rest !== 0 && rest < 0 !== whole < 0 ? rest + whole : rest;
    };
  },
});
