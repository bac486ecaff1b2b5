import { RowTable } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import { ITEMS_PER_STEP } from '../run/sliced-sort.ts';
import { type AggregateStep, slicedRows, type WindowAccumulator } from './operator.ts';

/** Opens an aggregate for a sliding window. An aggregate without `openWindow` is computed again for each result. */
export function openWindow(step: AggregateStep, run: RunScope): WindowAccumulator {
  if (step.openWindow !== undefined) return step.openWindow(run);
  const rows: Fields[] = [];
  return {
    from: (table) => (index) => rows.push(table.row(index)),
    forget: () => () => rows.shift(),
    // Costs the number of results times the length of the window.
    *rows() {
      const accumulator = step.open(scopeOfRead(run));
      const take = accumulator.from(RowTable.of(rows));
      for (const index of rows.keys()) {
        take?.(index);
        if (index % ITEMS_PER_STEP === 0) yield;
      }
      return yield* slicedRows(accumulator);
    },
  };
}
