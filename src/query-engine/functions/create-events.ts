import { rowAggregate } from '../operators/row-code.ts';
import { listOf, text } from '../signature/argument-types.ts';
import { defineAggregate, required } from '../signature/function-spec.ts';

/** Forgets all events and makes new ones of the given texts. */
export const createEvents = defineAggregate({
  name: 'createEvents',
  parameters: { rawstring: required(listOf(text, 'strings'), { unnamed: true }) },
  compile: ({ rawstring: texts }) =>
    rowAggregate({
      ignoresInput: true,
      columns: () => undefined,
      open: (run) => ({
        push() {},
        rows: () => texts.map((rawstring) => ({ '@rawstring': rawstring, '@timestamp': String(run.now) })),
      }),
    }),
});
