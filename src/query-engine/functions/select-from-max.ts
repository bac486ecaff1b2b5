import { fieldName, fieldNames } from '../argument-types.ts';
import { type Fields, readField } from '../event.ts';
import { defineAggregate, required } from '../function-spec.ts';
import { pickFields } from '../pick-fields.ts';
import { parseNumber } from '../value.ts';

/** Fields of the event with the largest number in a field; of several, the first. */
export const selectFromMax = defineAggregate({
  name: 'selectFromMax',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    include: required(fieldNames),
  },
  compile: ({ field, include }) => ({
    columns: () => include,
    open() {
      let largest: number | undefined;
      let selected: Fields | undefined;
      return {
        push(row) {
          const number = parseNumber(readField(row, field) ?? '');
          if (number === undefined || (largest !== undefined && !(number > largest))) return;
          largest = number;
          selected = pickFields(row, include);
        },
        rows: () => (selected === undefined ? [] : [selected]),
      };
    },
  }),
});
