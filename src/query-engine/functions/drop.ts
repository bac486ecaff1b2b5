import { fieldNames } from '../argument-types.ts';
import { defineTransform, required } from '../function-spec.ts';
import { editStep } from '../operators/edit.ts';

/** Removes fields. */
export const drop = defineTransform({
  name: 'drop',
  parameters: { fields: required(fieldNames, { unnamed: true, aliases: ['field'] }) },
  compile: ({ fields }) =>
    editStep(
      (row) => {
        for (const name of fields) delete row[name];
      },
      (before) => before?.filter((name) => !fields.includes(name)),
    ),
});
