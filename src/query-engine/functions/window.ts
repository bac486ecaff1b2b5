import { countStep } from '../aggregates/result-rows.ts';
import { MAX_BUCKETS } from '../buckets/bucket-span.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Fields } from '../event.ts';
import { type Accumulator, type AggregateStep, allRows } from '../operators/operator.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { BucketPlace, RunScope } from '../run/run-context.ts';
import { aggregates, durationMs, integer } from '../signature/argument-types.ts';
import { defineAggregate, optional, withDefault } from '../signature/function-spec.ts';

/** In a `timeChart` or `bucket`: aggregates over the buckets before each bucket, without the bucket itself. */
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
        const { grid, shared, start } = place;
        const length = buckets ?? Math.max(1, Math.round((span ?? 0) / grid.spanMs));
        const known = shared.get(step) as BucketWindows | undefined;
        const windows = known ?? new BucketWindows(inner, length, place, run);
        shared.set(step, windows);
        return {
          from: (table) => windows.from(start, table),
          rows: () => windows.rowsAt(start),
        };
      },
    };
    return step;
  },
});

/** Aggregates over a number of buckets, for the bucket that follows them. */
class BucketWindows {
  readonly #step: AggregateStep;
  readonly #length: number;
  readonly #place: BucketPlace;
  readonly #run: RunScope;
  readonly #windows = new Map<number, Accumulator>();
  /** The first bucket with a complete window before it. */
  readonly #firstShown: number;

  /** @param length number of buckets in a window */
  constructor(step: AggregateStep, length: number, place: BucketPlace, run: RunScope) {
    this.#step = step;
    this.#length = length;
    this.#place = place;
    this.#run = run;
    this.#firstShown = this.#startsAfter(place.first)[length - 1] ?? Number.POSITIVE_INFINITY;
  }

  /** Adds the events of a table that are in one bucket. */
  from(start: number, table: EventTable): TakeEvent | undefined {
    if (start < this.#place.first) return undefined;
    const takes = this.#startsAfter(start).flatMap((later) => this.#windowAt(later).from(table) ?? []);
    return (index) => {
      for (const take of takes) take(index);
    };
  }

  /** The result of the window before a bucket. */
  rowsAt(start: number): readonly Fields[] {
    if (start < this.#firstShown) return [];
    return allRows(this.#windows.get(start) ?? this.#step.open(this.#run));
  }

  #windowAt(start: number): Accumulator {
    const known = this.#windows.get(start);
    if (known !== undefined) return known;
    const opened = this.#step.open(this.#run);
    this.#run.retain?.(groupBytes([]));
    this.#windows.set(start, opened);
    return opened;
  }

  /** The starts of the buckets whose windows contain this one, up to the end of the chart. */
  #startsAfter(start: number): number[] {
    const { grid } = this.#place;
    const starts: number[] = [];
    let next = grid.nextStart(start);
    while (starts.length < this.#length && next <= this.#run.end) {
      starts.push(next);
      next = grid.nextStart(next);
    }
    return starts;
  }
}
