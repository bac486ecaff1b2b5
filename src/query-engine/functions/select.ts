import { pickFields } from '../aggregates/pick-fields.ts';
import { fieldNames } from '../signature/argument-types.ts';
import { defineTransform, required } from '../signature/function-spec.ts';

/** Keeps only the given fields. */
export const select = defineTransform({
  name: 'select',
  parameters: { fields: required(fieldNames, { unnamed: true, aliases: ['field'] }) },
  compile: ({ fields }) => ({
    effect: 'renews',
    reads: fields,
    picks: true,
    open: (_run, emit) => (row, stored) => emit(pickFields(row, fields), stored),
    columns: () => fields,
  }),
});
