import type { Fields } from '../event.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import { ITEMS_PER_STEP, type RowSource, type SlicedWork } from '../run/sliced-sort.ts';
import type { AggregateStep } from './operator.ts';
import { rowAggregate } from './row-code.ts';

/** Collects the rows of a result, and counts their memory until the result is released. */
export function* collectRows(source: RowSource, run: RunScope): SlicedWork<Fields[]> {
  const { retain } = scopeOfRead(run);
  const rows: Fields[] = [];
  for (const row of source) {
    if (row) {
      retain?.(rowBytes(row));
      rows.push(row);
    }
    if (!row || rows.length % ITEMS_PER_STEP === 0) yield;
  }
  return rows;
}

/** An aggregate that keeps all rows and computes its result from them. */
export function bufferedAggregate(
  columns: AggregateStep['columns'],
  resultOf: (rows: readonly Fields[], run: RunScope) => SlicedWork<readonly Fields[]>,
): AggregateStep {
  return rowAggregate({
    columns,
    open(run) {
      const rows: Fields[] = [];
      return {
        push(row) {
          run.retain?.(rowBytes(row));
          rows.push(row);
        },
        rows: () => resultOf(rows, run),
      };
    },
  });
}
