import { withColumns } from '../operators/operator.ts';
import { rowStep } from '../operators/row-code.ts';
import { text } from '../signature/argument-types.ts';
import { defineTransform, required } from '../signature/function-spec.ts';

/** Hands on each event and a copy of it with another `#type`. */
export const copyEvent = defineTransform({
  name: 'copyEvent',
  uncertain: ['The copy follows the original event.'],
  parameters: { type: required(text, { unnamed: true }) },
  compile: ({ type }) =>
    rowStep(
      (_run, emit) => (row) => {
        emit(row);
        emit({ ...row, '#type': type });
      },
      (before) => withColumns(before, ['#type']),
    ),
});
