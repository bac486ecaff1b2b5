import type { Fields } from '../event.ts';
import type { Accumulator, AggregateStep } from '../operators/operator.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import type { BucketGrid } from './bucket-grid.ts';

export interface BucketWindowsOptions {
  readonly grid: BucketGrid;
  /** The start of the chart's first bucket. */
  readonly first: number;
  /** The end of the chart's interval. */
  readonly last: number;
  /** How many buckets a window has. */
  readonly length: number;
  /** What is computed for each window. */
  readonly step: AggregateStep;
  readonly run: RunScope;
}

/** Aggregates over a number of buckets, shown in the bucket that follows them. */
export class BucketWindows {
  readonly #options: BucketWindowsOptions;
  readonly #windows = new Map<number, Accumulator>();
  /** The first bucket with a whole window before it. */
  readonly #firstShown: number;
  /** The buckets that show what happens in the bucket of the last row. */
  #following: { readonly start: number; readonly windows: readonly Accumulator[] } | undefined;

  constructor(options: BucketWindowsOptions) {
    this.#options = options;
    this.#firstShown = this.#startsAfter(options.first)[options.length - 1] ?? Number.POSITIVE_INFINITY;
  }

  push(start: number, row: Fields, stored: Fields): void {
    if (start < this.#options.first) return;
    if (this.#following?.start !== start) this.#following = { start, windows: this.#windowsAfter(start) };
    for (const window of this.#following.windows) window.push(row, stored);
  }

  /** The window before a bucket. */
  rowsAt(start: number): readonly Fields[] {
    if (start < this.#firstShown) return [];
    return (this.#windows.get(start) ?? this.#open()).rows();
  }

  #open(): Accumulator {
    return this.#options.step.open(this.#options.run);
  }

  #windowsAfter(start: number): Accumulator[] {
    return this.#startsAfter(start).map((later) => {
      const known = this.#windows.get(later);
      if (known !== undefined) return known;
      const opened = this.#open();
      this.#options.run.retain?.(groupBytes([]));
      this.#windows.set(later, opened);
      return opened;
    });
  }

  /** The buckets that follow one, as many as a window has, as far as the chart goes. */
  #startsAfter(start: number): number[] {
    const { grid, length, last } = this.#options;
    const starts: number[] = [];
    let next = grid.nextStart(start);
    while (starts.length < length && next <= last) {
      starts.push(next);
      next = grid.nextStart(next);
    }
    return starts;
  }
}
