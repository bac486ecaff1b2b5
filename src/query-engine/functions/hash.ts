import { readField } from '../event.ts';
import { fieldName, fieldNames, integer } from '../signature/argument-types.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { hashText } from '../text/text-hash.ts';

const MAX_INTEGER = 2 ** 31 - 1;

/** A whole number that equal values share, below `limit` if there is one. It protects nothing. */
export const hash = defineValue({
  name: 'hash',
  output: '_hash',
  uncertain: ['The service does not document its algorithm, so the values differ.'],
  parameters: {
    field: required(fieldNames, { unnamed: true }),
    limit: optional(integer({ min: 1, max: MAX_INTEGER })),
    seed: withDefault(integer({ min: -MAX_INTEGER, max: MAX_INTEGER }), 0),
    as: optional(fieldName),
  },
  compile:
    ({ field, limit, seed }) =>
    (row) => {
      let result = seed;
      for (const name of field) {
        const value = readField(row, name);
        // Each field counts for itself: ("a", "bc") is not ("ab", "c"), and a missing one is not an empty one.
        result = hashText(value === undefined ? '' : `=${value}`, result);
      }
      return limit === undefined ? result : result % limit;
    },
});
