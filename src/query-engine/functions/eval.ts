import { readsOfAll } from '../columns/column-test.ts';
import { writeField } from '../event.ts';
import { editStep } from '../operators/edit.ts';
import { withColumns } from '../operators/operator.ts';
import { expression } from '../signature/argument-types.ts';
import { defineAssignments } from '../signature/function-spec.ts';
import { toText } from '../value.ts';

/** `eval(a = x + 1, b = a * 2)`: assignments from left to right. */
export const evalFunction = defineAssignments({
  name: 'eval',
  type: expression,
  compile: (assignments) =>
    editStep(
      (row, stored, run) => {
        for (const { name, value: evaluate } of assignments) {
          const text = toText(evaluate(row, stored, run));
          if (text !== undefined) writeField(row, name, text);
        }
      },
      (before) => withColumns(before, namesOf(assignments)),
      { reads: readsOfAll(assignments.map(({ value }) => value)), rewrites: namesOf(assignments) },
    ),
});

function namesOf(assignments: readonly { readonly name: string }[]): readonly string[] {
  return assignments.map(({ name }) => name);
}
