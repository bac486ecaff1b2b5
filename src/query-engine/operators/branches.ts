import { columnsAfter, openSteps, renewRows, type StreamStep } from '../operator.ts';

/**
 * `case` and `match`: offers a row to the clauses from the first to the last. The first clause that hands on
 * anything wins; when none does, the row is dropped.
 *
 * Each clause starts from the row as it came: what a losing clause changed, it changed in a copy.
 */
export function branchesStep(clauses: readonly (readonly StreamStep[])[]): StreamStep {
  return {
    effect: clauses.every(renewRows) ? 'renews' : 'reads',
    open(run, emit) {
      let accepted = false;
      const inputs = clauses.map((steps) =>
        openSteps(steps, run, (row, stored) => {
          accepted = true;
          emit(row, stored);
        }),
      );
      return (row, stored) => {
        accepted = false;
        for (const input of inputs) {
          input(row, stored);
          if (accepted) return;
        }
      };
    },
    columns(before) {
      const all = clauses.map((steps) => columnsAfter(steps, before));
      return before && [...new Set(all.flatMap((columns) => columns ?? []))];
    },
  };
}
