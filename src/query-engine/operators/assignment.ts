import type { Evaluate } from '../compiler/scope.ts';
import { writeField } from '../event.ts';
import { toText } from '../value.ts';
import { type StreamStep, withColumns } from './operator.ts';

/** Sets a field to the value of an expression. Null leaves the field as it is. */
export function assignmentStep(target: string, evaluate: Evaluate): StreamStep {
  return {
    effect: 'edits',
    writes: [target],
    reads: evaluate.reads,
    rewrites: [target],
    keepsAll: true,
    assigns: evaluate,
    open: (run, emit) => (row, stored) => {
      const text = toText(evaluate(row, stored, run));
      if (text !== undefined) writeField(row, target, text);
      emit(row, stored);
    },
    columns: (before) => withColumns(before, [target]),
  };
}
