import { countStep } from '../aggregates/event-count.ts';
import { MAX_BUCKETS } from '../buckets/bucket-span.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Fields } from '../event.ts';
import { type Accumulator, type AggregateStep, allRows } from '../operators/operator.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { BucketTimes, RunScope } from '../run/run-context.ts';
import { aggregates, durationMs, integer } from '../signature/argument-types.ts';
import { defineAggregate, optional, withDefault } from '../signature/function-spec.ts';

/** In a `timeChart` or `bucket`: aggregates over the buckets before each one, without that bucket itself. */
export const window = defineAggregate({
  name: 'window',
  parameters: {
    function: withDefault(aggregates, countStep(), { unnamed: true }),
    span: optional(durationMs),
    buckets: optional(integer({ min: 1, max: MAX_BUCKETS })),
  },
  uncertain: ['A window ends before its bucket starts. Buckets with too few predecessors have no value.'],
  compile({ function: inner, span, buckets }, call) {
    const { caller } = call.scope;
    if (caller !== 'timeChart' && caller !== 'bucket') {
      call.fail('window() is only allowed in the argument "function" of timeChart() or bucket()');
    }
    if ((span === undefined) === (buckets === undefined))
      call.fail('window() needs either "span" or "buckets"');
    const step: AggregateStep = {
      columns: (before) => inner.columns(before),
      open(run) {
        const place = run.bucket;
        if (place === undefined) return inner.open(run);
        const { grid, first, shared, start } = place;
        let windows = shared.get(step) as BucketWindows | undefined;
        if (windows === undefined) {
          const length = buckets ?? Math.max(1, Math.round((span ?? 0) / grid.spanMs));
          windows = new BucketWindows({ grid, first, length, step: inner, run, last: run.end });
          shared.set(step, windows);
        }
        const opened = windows;
        return {
          from: (table) => opened.from(start, table),
          rows: () => opened.rowsAt(start),
        };
      },
    };
    return step;
  },
});

interface BucketWindowsOptions {
  readonly grid: BucketTimes;
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
class BucketWindows {
  readonly #options: BucketWindowsOptions;
  readonly #windows = new Map<number, Accumulator>();
  /** The first bucket with a whole window before it. */
  readonly #firstShown: number;

  constructor(options: BucketWindowsOptions) {
    this.#options = options;
    this.#firstShown = this.#startsAfter(options.first)[options.length - 1] ?? Number.POSITIVE_INFINITY;
  }

  /** Takes the events of a table that are in one bucket. */
  from(start: number, table: EventTable): TakeEvent | undefined {
    if (start < this.#options.first) return undefined;
    const takes = this.#windowsAfter(start).flatMap((window) => window.from(table) ?? []);
    return (index) => {
      for (const take of takes) take(index);
    };
  }

  /** The window before a bucket. */
  rowsAt(start: number): readonly Fields[] {
    if (start < this.#firstShown) return [];
    return allRows(this.#windows.get(start) ?? this.#open());
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
