import { inColumns } from '../columns/row-test.ts';
import type { Predicate } from '../compiler/scope.ts';
import type { StreamStep } from './operator.ts';

/** Hands on the rows for which the filter is true. */
export function filterStep(test: Predicate): StreamStep {
  return {
    effect: 'reads',
    writes: [],
    rewrites: [],
    filter: inColumns(test),
    reads: test.reads,
    open: (run, emit) => (row, stored) => {
      if (test(row, stored, run)) emit(row, stored);
    },
  };
}
