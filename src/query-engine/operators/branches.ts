import { readsOfAll } from '../columns/column-test.ts';
import { columnsAfter, openSteps, renewRows, type StreamStep } from './operator.ts';

/**
 * `case` and `match`: offers a row to the clauses from the first to the last. The first clause that hands on
 * anything wins; when none does, the row is dropped. In a parser, a clause that discards the row wins, too.
 *
 * Each clause starts from the row as it came: what a losing clause changed, it changed in a copy.
 */
export function branchesStep(clauses: readonly (readonly StreamStep[])[]): StreamStep {
  const steps = clauses.flat();
  return {
    reads: readsOfAll(steps),
    rewrites: rewritesOfAll(steps),
    effect: clauses.every(renewRows) ? 'renews' : 'reads',
    open(run, emit) {
      const { discards } = run;
      let accepted = false;
      const inputs = clauses.map((steps) =>
        openSteps(steps, run, (row, stored) => {
          accepted = true;
          emit(row, stored);
        }),
      );
      return (row, stored) => {
        accepted = false;
        const discarded = discards?.count;
        for (const input of inputs) {
          input(row, stored);
          if (accepted || discards?.count !== discarded) return;
        }
      };
    },
    columns(before) {
      const all = clauses.map((steps) => columnsAfter(steps, before));
      return before && [...new Set(all.flatMap((columns) => columns ?? []))];
    },
  };
}

/** The fields that some of the steps rewrite; `undefined` when one of them does something else. */
function rewritesOfAll(steps: readonly StreamStep[]): readonly string[] | undefined {
  const all = steps.map(({ rewrites }) => rewrites);
  return all.includes(undefined) ? undefined : [...new Set(all.flatMap((names) => names ?? []))];
}
