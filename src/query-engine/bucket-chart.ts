import { BucketGrid } from './bucket-grid.ts';
import { chooseSpan, humanizeSpan, type SpanOptions } from './bucket-span.ts';
import { isMoment } from './epoch-range.ts';
import { type Fields, readField } from './event.ts';
import { compareGroupKeys, type GroupKey, Groups, hasAllFields, keyRow } from './groups.ts';
import { numericTotal } from './numeric-total.ts';
import type { Accumulator, AggregateStep } from './operator.ts';
import type { RunScope } from './run-context.ts';
import { type TimeZone, timeZoneOrUtc } from './time-zone.ts';
import type { RowConversion } from './unit-conversion.ts';
import { parseNumber } from './value.ts';

export interface BucketChartOptions {
  /** `timeChart` or `bucket`, for warnings. */
  readonly name: string;
  /** Events are told apart by these fields; an event without one of them is left out. */
  readonly seriesFields: readonly string[];
  readonly inner: AggregateStep;
  readonly maxSeries: number;
  readonly span: SpanOptions;
  /** `undefined` for the time zone of the query. */
  readonly timeZone: TimeZone | undefined;
  /** What becomes of the rows of a bucket, given its span. */
  readonly conversion: RowConversion | undefined;
  /** What the result page wants to know besides the buckets. */
  readonly extraData: Readonly<Record<string, string>>;
}

/** `timeChart` and `bucket`: aggregates for each bucket of time and each series. */
export function bucketChart(options: BucketChartOptions): AggregateStep {
  const { seriesFields, inner } = options;
  return {
    columns: () => [...new Set(['_bucket', ...seriesFields, ...(inner.columns(undefined) ?? [])])],
    open: (run) => new BucketChart(options, run),
  };
}

interface Series {
  readonly key: GroupKey;
  readonly buckets: Map<number, Accumulator>;
}

/** A series as it is shown: its rows by the start of their bucket. */
interface SeriesResult {
  readonly key: GroupKey;
  readonly rows: ReadonlyMap<number, readonly Fields[]>;
}

class BucketChart implements Accumulator {
  readonly #options: BucketChartOptions;
  readonly #run: RunScope;
  readonly #grid: BucketGrid;
  readonly #series: Groups<Series>;

  constructor(options: BucketChartOptions, run: RunScope) {
    this.#options = options;
    this.#run = run;
    const zone = options.timeZone ?? timeZoneOrUtc(run.timeZone);
    this.#grid = new BucketGrid(chooseSpan(options.span, run), zone);
    this.#series = new Groups(options.seriesFields, (key) => ({ key, buckets: new Map() }));
    // Without series there is one chart, even of no events.
    if (options.seriesFields.length === 0) this.#series.of({});
  }

  push(row: Fields, stored: Fields): void {
    const { seriesFields, inner } = this.#options;
    const time = parseNumber(readField(row, '@timestamp') ?? '');
    if (time === undefined || !isMoment(time) || !hasAllFields(row, seriesFields)) return;
    const series = this.#series.of(row);
    const start = this.#grid.startOf(time);
    let accumulator = series?.buckets.get(start);
    if (accumulator === undefined) {
      accumulator = inner.open(this.#run);
      series?.buckets.set(start, accumulator);
    }
    accumulator.push(row, stored);
  }

  rows(): readonly Fields[] {
    const { seriesFields, inner } = this.#options;
    const shown = this.#shownSeries();
    const emptyRows = this.#orEmptyRow(this.#convert(inner.open(this.#run).rows()));
    return this.#starts(shown).flatMap((start) =>
      shown.flatMap(({ key, rows }) =>
        (rows.get(start) ?? emptyRows).map((row) => ({
          _bucket: String(start),
          ...keyRow(seriesFields, key),
          ...row,
        })),
      ),
    );
  }

  get extraData(): Readonly<Record<string, string>> {
    const { start, end } = this.#run;
    return {
      ...this.#options.extraData,
      bucket_first_bucket: String(this.#grid.startOf(start)),
      bucket_last_bucket: String(this.#grid.startOf(Math.max(start, end))),
      bucket_span_millis: String(this.#grid.spanMs),
      bucket_span_humanized: humanizeSpan(this.#grid.spanMs),
    };
  }

  /** The whole interval, and whatever lies outside it. */
  #starts(shown: readonly SeriesResult[]): number[] {
    const { start, end } = this.#run;
    const starts = new Set(this.#grid.startsBetween(start, Math.max(start, end)));
    for (const { rows } of shown) {
      for (const outside of rows.keys()) starts.add(outside);
    }
    return [...starts].sort((a, b) => a - b);
  }

  #shownSeries(): SeriesResult[] {
    const { name, maxSeries, inner } = this.#options;
    let series = [...this.#series.values()].map(({ key, buckets }) => ({ key, rows: this.#rowsOf(buckets) }));
    if (series.length > maxSeries) {
      this.#run.warn(
        `${name}() shows the ${maxSeries} largest of ${series.length} series. Set "limit" for more.`,
      );
      const columns = inner.columns(undefined);
      series = series
        .map((result) => ({ ...result, total: numericTotal([...result.rows.values()].flat(), columns) }))
        .sort((a, b) => b.total - a.total || compareGroupKeys(a.key, b.key))
        .slice(0, maxSeries);
    }
    return series.sort((a, b) => compareGroupKeys(a.key, b.key));
  }

  #rowsOf(buckets: ReadonlyMap<number, Accumulator>): Map<number, readonly Fields[]> {
    const rows = new Map<number, readonly Fields[]>();
    for (const [start, accumulator] of buckets) {
      rows.set(start, this.#orEmptyRow(this.#convert(accumulator.rows())));
    }
    return rows;
  }

  #convert(rows: readonly Fields[]): readonly Fields[] {
    const { conversion } = this.#options;
    return conversion === undefined ? rows : rows.map((row) => conversion(row, this.#grid.spanMs));
  }

  #orEmptyRow(rows: readonly Fields[]): readonly Fields[] {
    return rows.length === 0 ? [{}] : rows;
  }
}
