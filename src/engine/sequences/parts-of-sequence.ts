import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { type Accumulator, type AggregateStep, slicedRows } from '../operators/operator.ts';
import { collectRows } from '../operators/row-buffer.ts';
import { groupBytes, type RunScope } from '../run/run-context.ts';
import type { RowSource } from '../run/sliced-sort.ts';

/** Aggregates the parts of a sequence of rows, one after the other. */
export interface PartsOfSequence extends Accumulator {
  from(table: EventTable): TakeEvent;
  /** Ends the part: the next row starts a new one. */
  cut(): void;
}

export function partsOfSequence(inner: AggregateStep, run: RunScope): PartsOfSequence {
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
      let opened: Accumulator | undefined;
      let take: TakeEvent | undefined;
      return (index) => {
        current ??= open();
        if (opened !== current) take = current.from(table);
        opened = current;
        take?.(index);
      };
    },
    cut() {
      current = undefined;
    },
    rows: () => collectRows(rowsOf(parts), run),
  };
}

function* rowsOf(parts: readonly Accumulator[]): RowSource {
  for (const part of parts) yield* yield* slicedRows(part);
}
