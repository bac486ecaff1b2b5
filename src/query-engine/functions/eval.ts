import { assignmentStep } from '../operators/field-steps.ts';
import { expression } from '../signature/argument-types.ts';
import { defineAssignments } from '../signature/function-spec.ts';

/** `eval(a = x + 1, b = a * 2)`: assignments from left to right. */
export const evalFunction = defineAssignments({
  name: 'eval',
  type: expression,
  compile: assignmentStep,
});
