import { writeField } from '../event.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { expression } from '../signature/argument-types.ts';
import { defineTransform, required } from '../signature/function-spec.ts';
import { toText } from '../value.ts';

/** Sets the field whose name an expression gives. */
export const setField = defineTransform({
  name: 'setField',
  parameters: { target: required(expression), value: required(expression) },
  compile: ({ target, value }) =>
    editStep(
      (row, _run, [name, content]) => {
        const [field, text] = [toText(name), toText(content)];
        if (field !== undefined && text !== undefined) writeField(row, field, text);
      },
      unknownColumns,
      [target, value],
    ),
});
