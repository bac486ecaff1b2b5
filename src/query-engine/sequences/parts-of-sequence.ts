import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Fields } from '../event.ts';
import { type Accumulator, type AggregateStep, slicedRows } from '../operators/operator.ts';
import { groupBytes, rowBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';

/** Aggregates one part of a sequence of rows after the other. */
export class PartsOfSequence {
  readonly #inner: AggregateStep;
  readonly #run: RunScope;
  readonly #parts: Accumulator[] = [];
  #current: Accumulator | undefined;

  constructor(inner: AggregateStep, run: RunScope) {
    this.#inner = inner;
    this.#run = run;
  }

  from(table: EventTable): TakeEvent {
    let opened: Accumulator | undefined;
    let take: TakeEvent | undefined;
    return (index) => {
      this.#current ??= this.#open();
      if (opened !== this.#current) take = this.#current.from(table);
      opened = this.#current;
      take?.(index);
    };
  }

  /** The next row begins a new part. */
  cut(): void {
    this.#current = undefined;
  }

  /** The rows of all parts. */
  *rows(): SlicedWork<readonly Fields[]> {
    const { retain } = scopeOfRead(this.#run);
    const rows: Fields[] = [];
    for (const part of this.#parts) {
      for (const row of yield* slicedRows(part)) {
        retain?.(rowBytes(row));
        rows.push(row);
      }
    }
    return rows;
  }

  #open(): Accumulator {
    this.#run.retain?.(groupBytes([]));
    const part = this.#inner.open(this.#run);
    this.#parts.push(part);
    return part;
  }
}
