import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { type Accumulator, type AggregateStep, slicedRows } from '../operators/operator.ts';
import { collectRows } from '../operators/row-buffer.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import type { RowSource } from '../run/sliced-sort.ts';

/** Whether a row starts a part of a sequence, or ends one. */
type CutAt = (index: number) => 'before' | 'after' | undefined;

/** Aggregates the parts of a sequence of rows, one after the other. */
export function partsOfSequence(
  inner: AggregateStep,
  openCuts: (run: RunScope) => (table: EventTable) => CutAt,
): AggregateStep {
  return {
    columns: (before) => inner.columns(before),
    open(run) {
      const cutsIn = openCuts(run);
      const parts: Accumulator[] = [];
      let current: Accumulator | undefined;
      const open = (): Accumulator => {
        run.retain?.(groupBytes([]));
        const part = inner.open(run);
        parts.push(part);
        return part;
      };
      return {
        from(table) {
          const cutAt = cutsIn(table);
          let opened: Accumulator | undefined;
          let take: TakeEvent | undefined;
          return (index) => {
            const cut = cutAt(index);
            if (cut === 'before') current = undefined;
            current ??= open();
            if (opened !== current) take = current.from(table);
            opened = current;
            take?.(index);
            if (cut === 'after') current = undefined;
          };
        },
        rows: () => collectRows(rowsOf(parts), run),
      };
    },
  };
}

function* rowsOf(parts: readonly Accumulator[]): RowSource {
  for (const part of parts) yield* yield* slicedRows(part);
}
