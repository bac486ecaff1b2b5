import { copyFields } from '../event.ts';
import { withColumns } from '../operators/operator.ts';
import { text } from '../signature/argument-types.ts';
import { defineTransform, required } from '../signature/function-spec.ts';

/** Hands on each event and a copy of it with another `#type`. */
export const copyEvent = defineTransform({
  name: 'copyEvent',
  uncertain: ['The copy follows the original event.'],
  parameters: { type: required(text, { unnamed: true }) },
  compile: ({ type }) => ({
    effect: 'renews',
    open: (_run, emit, owned) => (row, stored) => {
      const copy = copyFields(row);
      copy['#type'] = type;
      emit(owned ? row : copyFields(row), stored);
      emit(copy, stored);
    },
    columns: (before) => withColumns(before, ['#type']),
  }),
});
