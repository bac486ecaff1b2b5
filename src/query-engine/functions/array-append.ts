import { arrayName } from '../arrays/array-arguments.ts';
import { writeField } from '../event.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { expressions } from '../signature/argument-types.ts';
import { defineTransform, required } from '../signature/function-spec.ts';
import { toText } from '../value.ts';

/** Adds values at the end of an array, or makes one of them. Null adds nothing. */
export const arrayAppend = defineTransform({
  name: 'array:append',
  parameters: { array: required(arrayName, { unnamed: true }), values: required(expressions) },
  compile: ({ array, values }) =>
    editStep(
      (row, _run, added) => {
        let index = array.lengthIn(row);
        for (const text of added.map(toText)) {
          if (text === undefined) continue;
          writeField(row, array.fieldAt(index), text);
          index += 1;
        }
      },
      unknownColumns,
      values,
    ),
});
