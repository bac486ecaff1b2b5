import { readField, writeField } from '../event.ts';
import { editStep } from '../operators/edit.ts';
import { withColumns } from '../operators/operator.ts';
import { fieldNames, flag, text } from '../signature/argument-types.ts';
import { defineTransform, required, withDefault } from '../signature/function-spec.ts';

/** Gives fields a value where they have none. */
export const defaultFunction = defineTransform({
  name: 'default',
  parameters: {
    value: required(text, { unnamed: true }),
    field: required(fieldNames),
    replaceEmpty: withDefault(flag, false),
  },
  compile: ({ value, field, replaceEmpty }) =>
    editStep(
      (row) => {
        for (const name of field) {
          const current = readField(row, name);
          if (current === undefined || (replaceEmpty && current === '')) writeField(row, name, value);
        }
      },
      (before) => withColumns(before, field),
      { reads: field, rewrites: field },
    ),
});
