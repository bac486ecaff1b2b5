import type { Fields } from '../event.ts';
import type { Accumulator, AggregateStep } from '../operators/operator.ts';
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

  push(row: Fields, stored: Fields): void {
    this.#current ??= this.#inner.open(this.#run);
    this.#current.push(row, stored);
  }

  /** The next row begins a new part. */
  cut(): void {
    for (const row of this.#current?.rows() ?? []) {
      this.#run.retain?.(rowBytes(row));
      this.#finished.push(row);
    }
    this.#current = undefined;
  }

  /** The rows of all parts, those of the one that is not finished included. */
  rows(): readonly Fields[] {
    return this.#current === undefined ? [...this.#finished] : [...this.#finished, ...this.#current.rows()];
  }
}
