import { fieldNames } from '../argument-types.ts';
import { type Fields, readField } from '../event.ts';
import { defineAggregate, required } from '../function-spec.ts';
import { keyRow } from '../groups.ts';

/** For each field the value of the newest event that has it. */
export const selectLast = defineAggregate({
  name: 'selectLast',
  parameters: { fields: required(fieldNames, { unnamed: true, aliases: ['field'] }) },
  compile: ({ fields }) => ({
    columns: () => fields,
    open() {
      const latest: (string | undefined)[] = fields.map(() => undefined);
      return {
        push(row: Fields) {
          for (let index = 0; index < fields.length; index += 1) {
            const value = readField(row, fields[index]!);
            if (value !== undefined) latest[index] = value;
          }
        },
        rows: () => (latest.every((value) => value === undefined) ? [] : [keyRow(fields, latest)]),
      };
    },
  }),
});
