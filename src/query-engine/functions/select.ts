import { fieldNames } from '../argument-types.ts';
import { defineTransform, required } from '../function-spec.ts';
import { pickFields } from '../pick-fields.ts';

/** Keeps only the given fields. */
export const select = defineTransform({
  name: 'select',
  parameters: { fields: required(fieldNames, { unnamed: true, aliases: ['field'] }) },
  compile: ({ fields }) => ({
    effect: 'renews',
    open: (_run, emit) => (row, stored) => emit(pickFields(row, fields), stored),
    columns: () => fields,
  }),
});
