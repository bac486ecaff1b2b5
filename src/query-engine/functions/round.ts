import { readField } from '../event.ts';
import { fieldName, oneOf } from '../signature/argument-types.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { parseNumber } from '../value.ts';

/** A number without its fraction. */
export const round = defineValue({
  name: 'round',
  output: ({ field }) => field,
  uncertain: ['Halves round up: 2.5 to 3 and -2.5 to -2.'],
  parameters: {
    field: required(fieldName, { unnamed: true }),
    how: withDefault(oneOf('round', 'ceil', 'floor'), 'round'),
    as: optional(fieldName),
  },
  compile({ field, how }) {
    const convert = Math[how];
    return (row) => {
      const value = readField(row, field);
      const number = value === undefined ? undefined : parseNumber(value);
      return number === undefined ? undefined : convert(number);
    };
  },
});
