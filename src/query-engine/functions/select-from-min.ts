import { fieldName, fieldNames } from '../argument-types.ts';
import { type Fields, readField } from '../event.ts';
import { defineAggregate, required } from '../function-spec.ts';
import { pickFields } from '../pick-fields.ts';
import { parseNumber } from '../value.ts';

/** Fields of the event with the smallest number in a field; of several, the first. */
export const selectFromMin = defineAggregate({
  name: 'selectFromMin',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    include: required(fieldNames),
  },
  compile: ({ field, include }) => ({
    columns: () => include,
    open() {
      let smallest: number | undefined;
      let selected: Fields | undefined;
      return {
        push(row) {
          const number = parseNumber(readField(row, field) ?? '');
          if (number === undefined || (smallest !== undefined && !(number < smallest))) return;
          smallest = number;
          selected = pickFields(row, include);
        },
        rows: () => (selected === undefined ? [] : [selected]),
      };
    },
  }),
});
