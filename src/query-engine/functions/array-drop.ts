import { arrayName } from '../arrays/array-arguments.ts';
import type { ArrayFields } from '../arrays/array-fields.ts';
import type { Columns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { defineTransform, required } from '../signature/function-spec.ts';

/** Removes the elements of an array up to its first gap. */
export const arrayDrop = defineTransform({
  name: 'array:drop',
  parameters: { array: required(arrayName, { unnamed: true }) },
  compile: ({ array }) =>
    editStep(
      (row) => array.clear(row),
      (before) => dropColumns(before, array),
    ),
});

function dropColumns(before: Columns, array: ArrayFields): Columns {
  const dropped = new Set<string>();
  while (before?.includes(array.fieldAt(dropped.size))) dropped.add(array.fieldAt(dropped.size));
  return before?.filter((name) => !dropped.has(name));
}
