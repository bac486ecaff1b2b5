import { type TimeZone, timeZoneOrUtc } from '../../core/time-zone.ts';
import { groupsInOrder } from '../aggregates/group-order.ts';
import { type GroupKey, Groups } from '../aggregates/groups.ts';
import { numericTotal, rowOfValues } from '../aggregates/result-rows.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { addFields, copyFields, type Fields } from '../event.ts';
import {
  type Accumulator,
  type AggregateStep,
  slicedRows,
  withLeadingColumns,
} from '../operators/operator.ts';
import { collectRows } from '../operators/row-buffer.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { BucketPlace, RunScope } from '../run/run-context.ts';
import type { RowSource, SlicedWork } from '../run/sliced-sort.ts';
import { isMoment } from '../time/epoch.ts';
import { BucketGrid } from './bucket-grid.ts';
import { chooseSpan, humanizeSpan, MAX_BUCKETS, type SpanOptions } from './bucket-span.ts';
import type { RowConversion } from './unit-conversion.ts';

export interface BucketChartOptions {
  /** `timeChart` or `bucket`, for warnings. */
  readonly name: string;
  /** Fields that identify a series. Events that lack one of them are ignored. */
  readonly seriesFields: readonly string[];
  readonly inner: AggregateStep;
  readonly maxSeries: number;
  /** Whether the query sets the number of series: then dropping some needs no warning. */
  readonly isOwnLimit: boolean;
  readonly span: SpanOptions;
  /** Default: the time zone of the query. */
  readonly timeZone: TimeZone | undefined;
  /** Converts the rows of a bucket, given its span. */
  readonly conversion: RowConversion | undefined;
  /** Metadata for charts, returned beside the rows. */
  readonly extraData: Readonly<Record<string, string>>;
}

/** `timeChart` and `bucket`: aggregates for each time bucket and series. */
export function bucketChart(options: BucketChartOptions): AggregateStep {
  const { seriesFields, inner } = options;
  return {
    columns: () => withLeadingColumns(['_bucket', ...seriesFields], inner.columns(undefined)),
    open: (run) => new BucketChart(options, run),
  };
}

/** Limit for counting the series that are dropped. */
const MAX_SERIES = 100_000;

interface Series {
  readonly buckets: Map<number, Accumulator>;
  /** State that the `window` functions of all buckets share. */
  readonly shared: Map<object, unknown>;
}

/** A series in a table, with the sink of its last bucket. */
interface OpenSeries {
  readonly series: Series;
  start: number;
  take: TakeEvent | undefined;
}

/** The rows of a series by the start of their bucket. */
interface SeriesResult {
  readonly key: GroupKey;
  readonly rows: ReadonlyMap<number, readonly Fields[]>;
}

class BucketChart implements Accumulator {
  readonly #options: BucketChartOptions;
  readonly #run: RunScope;
  readonly #grid: BucketGrid;
  readonly #series: Groups<Series>;
  /** Whether buckets need their position, because `window` reads the buckets before them. */
  readonly #hasWindows: boolean;

  constructor(options: BucketChartOptions, run: RunScope) {
    this.#options = options;
    this.#run = run;
    const zone = options.timeZone ?? timeZoneOrUtc(run.timeZone);
    this.#grid = new BucketGrid(chooseSpan(options.span, run), zone);
    this.#series = new Groups(options.seriesFields, {
      run,
      create: newSeries,
      aggregates: 2,
      max: MAX_SERIES,
      warning: `${options.name}() counts at most ${MAX_SERIES} series.`,
      needsAll: true,
    });
    // Without series, there is one chart even if there are no events.
    if (options.seriesFields.length === 0) this.#series.placeOf([]);
    const probe = newSeries();
    this.#openPlaced(probe, 0);
    this.#hasWindows = probe.shared.size > 0;
  }

  from(table: EventTable): TakeEvent {
    const open = (series: Series): OpenSeries => ({ series, start: Number.NaN, take: undefined });
    const seriesOf = this.#series.openedIn(table, open);
    return (index) => {
      const time = table.timeAt(index);
      const current = isMoment(time) ? seriesOf(index) : undefined;
      if (current === undefined) return;
      const start = this.#grid.startOf(time);
      // Events are ordered by time, so the bucket rarely changes.
      if (current.start !== start) {
        current.start = start;
        current.take = this.#accumulatorAt(current.series, start).from(table);
      }
      current.take?.(index);
    };
  }

  #accumulatorAt(series: Series, start: number): Accumulator {
    let accumulator = series.buckets.get(start);
    if (accumulator === undefined) {
      accumulator = this.#hasWindows ? this.#openPlaced(series, start) : this.#options.inner.open(this.#run);
      // Each has a scope of its own.
      this.#run.retain?.(groupBytes([], 2));
      series.buckets.set(start, accumulator);
    }
    return accumulator;
  }

  rows(): SlicedWork<readonly Fields[]> {
    return collectRows(this.#rows(), this.#run);
  }

  *#rows(): RowSource {
    const { seriesFields, inner } = this.#options;
    const shown = yield* this.#shownSeries();
    const emptyRows = this.#shownRows(yield* slicedRows(inner.open(this.#run)));
    for (const start of this.#starts(shown)) {
      for (const result of shown) {
        const leading = addFields({ _bucket: String(start) }, rowOfValues(seriesFields, result.key));
        for (const row of result.rows.get(start) ?? emptyRows) yield addFields(copyFields(leading), row);
        yield;
      }
    }
  }

  extraData(): Readonly<Record<string, string>> {
    const { start, end } = this.#run;
    return {
      ...this.#options.extraData,
      bucket_first_bucket: String(this.#grid.startOf(start)),
      bucket_last_bucket: String(this.#grid.startOf(Math.max(start, end))),
      bucket_span_millis: String(this.#grid.spanMs),
      bucket_span_humanized: humanizeSpan(this.#grid.span),
    };
  }

  /** All buckets of the interval, and those outside of it that have events. */
  #starts(shown: readonly SeriesResult[]): number[] {
    const starts = new Set(this.#startsOfInterval());
    for (const { rows } of shown) {
      for (const outside of rows.keys()) starts.add(outside);
    }
    return [...starts].sort((a, b) => a - b);
  }

  #startsOfInterval(): Iterable<number> {
    const { start, end } = this.#run;
    const { span, spanMs } = this.#grid;
    if ((end - start) / spanMs <= MAX_BUCKETS) return this.#grid.startsBetween(start, Math.max(start, end));
    // Only if the interval became known after the span was chosen.
    this.#run.warn(
      `The events cover more than ${MAX_BUCKETS} buckets of ${humanizeSpan(span)}; empty ones are omitted. Set a longer span.`,
    );
    return [];
  }

  *#shownSeries(): SlicedWork<readonly SeriesResult[]> {
    const { name, maxSeries, isOwnLimit, inner } = this.#options;
    const groups = this.#series;
    const series: SeriesResult[] = [];
    for (const [place, one] of groups.values.entries()) {
      series.push({ key: groups.keyAt(place), rows: yield* this.#rowsOf(one) });
    }
    let places: readonly number[] = [...series.keys()];
    if (series.length > maxSeries) {
      if (!isOwnLimit) {
        this.#run.warn(
          `${name}() shows the ${maxSeries} largest of ${series.length} series. Set "limit" for more.`,
        );
      }
      const columns = inner.columns(undefined);
      const rankOf = (place: number): number =>
        -numericTotal([...series[place]!.rows.values()].flat(), columns);
      places = yield* groupsInOrder(groups, { rankOf, limit: maxSeries });
    }
    return (yield* groupsInOrder(groups, { places })).map((place) => series[place]!);
  }

  *#rowsOf(series: Series): SlicedWork<Map<number, readonly Fields[]>> {
    const rows = new Map<number, readonly Fields[]>();
    for (const [start, accumulator] of series.buckets) {
      rows.set(start, this.#shownRows(yield* slicedRows(accumulator)));
    }
    if (!this.#hasWindows) return rows;
    // A bucket without events shows what happened before it.
    for (const start of this.#startsOfInterval()) {
      if (rows.has(start)) continue;
      rows.set(start, this.#shownRows(yield* slicedRows(this.#openPlaced(series, start))));
    }
    return rows;
  }

  /** The rows in the requested unit; an empty bucket has one empty row. */
  #shownRows(rows: readonly Fields[]): readonly Fields[] {
    const { conversion } = this.#options;
    if (rows.length === 0) return [{}];
    return conversion === undefined ? rows : rows.map((row) => conversion(row, this.#grid.spanMs));
  }

  #openPlaced({ shared }: Series, start: number): Accumulator {
    const first = this.#grid.startOf(this.#run.start);
    const bucket: BucketPlace = { grid: this.#grid, start, first, shared };
    // A prototype instead of a copy, because the run's state may change.
    return this.#options.inner.open(Object.assign(Object.create(this.#run) as RunScope, { bucket }));
  }
}

function newSeries(): Series {
  return { buckets: new Map(), shared: new Map() };
}
