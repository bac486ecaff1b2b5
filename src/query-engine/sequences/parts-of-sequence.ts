import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Fields } from '../event.ts';
import { type Accumulator, type AggregateStep, allRows } from '../operators/operator.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';

/** Aggregates one part of a sequence of rows after the other. */
export class PartsOfSequence {
  readonly #inner: AggregateStep;
  readonly #run: RunScope;
  readonly #finished: Fields[] = [];
  #current: Accumulator | undefined;

  constructor(inner: AggregateStep, run: RunScope) {
    this.#inner = inner;
    this.#run = run;
  }

  from(table: EventTable): TakeEvent {
    let opened: Accumulator | undefined;
    let take: TakeEvent | undefined;
    return (index) => {
      this.#current ??= this.#inner.open(this.#run);
      if (opened !== this.#current) take = this.#current.from(table);
      opened = this.#current;
      take?.(index);
    };
  }

  /** The next row begins a new part. */
  cut(): void {
    for (const row of this.#currentRows()) {
      this.#run.retain?.(rowBytes(row));
      this.#finished.push(row);
    }
    this.#current = undefined;
  }

  /** The rows of all parts, those of the one that is not finished included. */
  rows(): readonly Fields[] {
    return [...this.#finished, ...this.#currentRows()];
  }

  #currentRows(): readonly Fields[] {
    return this.#current === undefined ? [] : allRows(this.#current);
  }
}
