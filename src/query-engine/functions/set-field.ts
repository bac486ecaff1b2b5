import { writeField } from '../event.ts';
import { editStep, unknownColumns } from '../operators/edit.ts';
import { expression } from '../signature/argument-types.ts';
import { defineTransform, required } from '../signature/function-spec.ts';
import { toText } from '../value.ts';

/** Sets the field whose name an expression gives. */
export const setField = defineTransform({
  name: 'setField',
  parameters: { target: required(expression), value: required(expression) },
  compile: ({ target, value }) =>
    editStep((row, stored, run) => {
      const name = toText(target(row, stored, run));
      const content = toText(value(row, stored, run));
      if (name !== undefined && content !== undefined) writeField(row, name, content);
    }, unknownColumns),
});
