import { type Diagnostic, forceLinting, linter } from '@codemirror/lint';
import { StateEffect, StateField } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type EditorProblem, findProblem } from './language.ts';

const setReported = StateEffect.define<EditorProblem | undefined>();

/** What the service says is wrong, until the query changes. */
const reported = StateField.define<EditorProblem | undefined>({
  create: () => undefined,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setReported)) return effect.value;
    return transaction.docChanged ? undefined : value;
  },
});

const LINT_DELAY_MS = 400;

/** Underlines what is wrong with the query: found while typing, or reported by the service. */
export const problems = [
  reported,
  linter(
    ({ state }) => {
      const problem = findProblem(state.doc.toString()) ?? state.field(reported);
      return problem === undefined ? [] : [diagnosticOf(problem, state.doc.length)];
    },
    {
      delay: LINT_DELAY_MS,
      needsRefresh: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((effect) => effect.is(setReported))),
    },
  ),
];

/** Shows what the service says is wrong. */
export function reportProblem(view: EditorView, problem: EditorProblem | undefined): void {
  view.dispatch({ effects: setReported.of(problem) });
  forceLinting(view);
}

function diagnosticOf({ start, end, message }: EditorProblem, length: number): Diagnostic {
  const from = Math.min(start, length);
  return { from, to: Math.max(from, Math.min(end, length)), severity: 'error', message };
}
