import { editStep } from '../operators/edit.ts';
import { fieldNames } from '../signature/argument-types.ts';
import { defineTransform, required } from '../signature/function-spec.ts';

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
      { reads: [], rewrites: fields },
    ),
});
