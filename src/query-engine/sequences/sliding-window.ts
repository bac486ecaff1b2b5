import { rowInput } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import { type AggregateStep, allRows } from '../operators/operator.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import { withResult } from './sequence.ts';

export interface SlidingWindowOptions {
  readonly inner: AggregateStep;
  readonly run: RunScope;
  /** Whether a row is in its own window. */
  readonly current: 'include' | 'exclude';
  /** The function, for warnings. */
  readonly name: string;
}

interface Entry {
  readonly row: Fields;
  readonly time?: number;
}

/** How many rows may have left before their room is taken back. */
const MAX_GONE = 1000;

/**
 * Adds to each row what an aggregate makes of the rows of a window before it.
 *
 * An aggregate can't forget rows, so each window is computed anew: the work is the number of rows times the length
 * of a window.
 */
export class SlidingWindow {
  readonly #options: SlidingWindowOptions;
  readonly #results: Fields[] = [];
  #entries: Entry[] = [];
  #first = 0;

  constructor(options: SlidingWindowOptions) {
    this.#options = options;
  }

  /** @param isTooLong whether the window's oldest row has to leave, given the number of rows in it. */
  push(entry: Entry, isTooLong: (size: number, oldest: Entry) => boolean): void {
    const { current, run } = this.#options;
    if (current === 'include') this.#entries.push(entry);
    this.#shrink(isTooLong);
    const result = this.#compute(entry.row);
    run.retain?.(rowBytes(result));
    this.#results.push(result);
    if (current === 'exclude') this.#entries.push(entry);
  }

  /** Hands on a row that is in no window. */
  pass(row: Fields): void {
    this.#options.run.retain?.(rowBytes(row));
    this.#results.push(row);
  }

  rows(): readonly Fields[] {
    return [...this.#results];
  }

  #shrink(isTooLong: (size: number, oldest: Entry) => boolean): void {
    while (this.#first < this.#entries.length) {
      if (!isTooLong(this.#entries.length - this.#first, this.#entries[this.#first]!)) break;
      this.#first += 1;
    }
    if (this.#first < MAX_GONE) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }

  #compute(row: Fields): Fields {
    const { inner, run, name } = this.#options;
    const accumulator = inner.open(scopeOfRead(run));
    const push = rowInput(accumulator);
    for (let index = this.#first; index < this.#entries.length; index += 1) {
      push(this.#entries[index]!.row);
    }
    return withResult(row, allRows(accumulator), name, run);
  }
}
