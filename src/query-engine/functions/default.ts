import { rowExpression } from '../columns/row-view.ts';
import { readField } from '../event.ts';
import { assignmentStep } from '../operators/field-steps.ts';
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
    assignmentStep(
      field.map((name) => ({
        name,
        value: rowExpression(
          (row) => {
            const current = readField(row, name);
            return current === undefined || (replaceEmpty && current === '') ? value : undefined;
          },
          [name],
        ),
      })),
    ),
});
