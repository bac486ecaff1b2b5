import { selectStep } from '../operators/field-steps.ts';
import { fieldNames } from '../signature/argument-types.ts';
import { defineTransform, required } from '../signature/function-spec.ts';

/** Keeps only the given fields. */
export const select = defineTransform({
  name: 'select',
  parameters: { fields: required(fieldNames, { unnamed: true, aliases: ['field'] }) },
  compile: ({ fields }) => selectStep(fields),
});
