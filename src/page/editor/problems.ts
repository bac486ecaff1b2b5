import { type Diagnostic, forceLinting, linter } from '@codemirror/lint';
import { StateEffect, StateField } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { check, Diagnostic as Problem } from '../../language/index.ts';
import type { ReportedProblem } from '../search/reported-problem.ts';
import { loadScript } from '../state/load-script.ts';

const setReported = StateEffect.define<ReportedProblem | undefined>();

/** The problem that the service reported, until the query changes. */
const reported = StateField.define<ReportedProblem | undefined>({
  create: () => undefined,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setReported)) return effect.value;
    return transaction.docChanged ? undefined : value;
  },
});

const LINT_DELAY_MS = 400;

/** Underlines problems in the query: those found while typing, and the one that the service reported. */
export const problems = [
  reported,
  linter(
    async ({ state }) => {
      const query = state.doc.toString();
      const load = () => loadScript<typeof check>('checks.js', 'checkQuery');
      const found = query.trim() === '' ? [] : (await load())?.(query);
      const diagnostics = found?.map(diagnosticOf) ?? [];
      const other = state.field(reported);
      if (other === undefined || diagnostics.some(({ severity }) => severity === 'error')) return diagnostics;
      const from = Math.min(other.start, query.length);
      const to = Math.max(from, Math.min(other.end, query.length));
      return [...diagnostics, { from, to, severity: 'error', message: other.message }];
    },
    {
      delay: LINT_DELAY_MS,
      needsRefresh: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((effect) => effect.is(setReported))),
    },
  ),
];

/** Shows the problem that the service reported. */
export function reportProblem(view: EditorView, problem: ReportedProblem | undefined): void {
  view.dispatch({ effects: setReported.of(problem) });
  forceLinting(view);
}

function diagnosticOf({ span, severity, message, fix }: Problem): Diagnostic {
  const apply = (view: EditorView): void => {
    if (fix === undefined) return;
    view.dispatch({ changes: { from: fix.span.start, to: fix.span.end, insert: fix.text } });
  };
  const actions = fix === undefined ? [] : [{ name: `Write ${fix.text.trim() || 'nothing'}`, apply }];
  return { from: span.start, to: span.end, severity, message, actions };
}
