import { dropStep } from '../operators/field-steps.ts';
import { fieldNames } from '../signature/argument-types.ts';
import { defineTransform, required } from '../signature/function-spec.ts';

/** Removes fields. */
export const drop = defineTransform({
  name: 'drop',
  parameters: { fields: required(fieldNames, { unnamed: true, aliases: ['field'] }) },
  compile: ({ fields }) => dropStep(fields),
});
