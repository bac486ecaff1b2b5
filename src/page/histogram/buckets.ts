import { DAY_MS } from '../../core/epoch.ts';
import type { Row } from '../api/rows.ts';
import type { SearchState } from '../state/search-state.ts';

/** One bar of the histogram. */
export interface Bucket {
  /** Epoch milliseconds. */
  readonly start: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

export interface Histogram {
  readonly buckets: readonly Bucket[];
  readonly spanMs: number;
  /** Number of records that are in no bucket because their time is unknown. */
  readonly withoutTime: number;
  /** The values of the field, most frequent last, because bars are drawn from the bottom up. */
  readonly series: readonly string[];
  readonly totals: ReadonlyMap<string, number>;
  /** The height of the highest bar. */
  readonly max: number;
}

/** The height of a number, from 0 to 1. */
export function heightOf(count: number, max: number, scale: SearchState['scale']): number {
  return scale === 'log' ? Math.log1p(count) / Math.log1p(max) : count / max;
}

/** The number at a height, the inverse of {@link heightOf}. */
export function countAt(height: number, max: number, scale: SearchState['scale']): number {
  return Math.round(scale === 'log' ? Math.expm1(height * Math.log1p(max)) : height * max);
}

const SPANS_MS = [
  ...[10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 4, 6, 12].map((hours) => hours * 3_600_000),
  ...[1, 2, 7, 14, 30, 90, 365].map((days) => days * DAY_MS),
];

/** A round bucket width that results in at most `maxBuckets` buckets. */
export function bucketSpan(start: number, end: number, maxBuckets: number): number {
  const distance = Math.max(1, end - start);
  return SPANS_MS.find((span) => distance / span <= maxBuckets - 1) ?? Math.ceil(distance / maxBuckets);
}

/** Reads the rows of `timeChart(field)`. Values with the same name are one series. */
export function readHistogram(
  rows: readonly Row[],
  field: string,
  spanMs: number,
  nameOf: (value: string) => string = String,
): Histogram {
  const buckets = new Map<number, { start: number; counts: Map<string, number>; total: number }>();
  const totals = new Map<string, number>();
  let withoutTime = 0;
  for (const row of rows) {
    const start = Number(row._bucket);
    // Levels are counted whatever the time.
    const all = Number(row._count);
    const unknown = Number(row._unknown ?? 0);
    const count = all - unknown;
    withoutTime += unknown;
    const series = nameOf(String(row[field] ?? ''));
    const bucket = buckets.get(start) ?? { start, counts: new Map<string, number>(), total: 0 };
    buckets.set(start, bucket);
    bucket.counts.set(series, (bucket.counts.get(series) ?? 0) + count);
    bucket.total += count;
    totals.set(series, (totals.get(series) ?? 0) + all);
  }
  const sorted = [...buckets.values()].sort((left, right) => left.start - right.start);
  return {
    buckets: sorted,
    spanMs,
    withoutTime,
    series: [...totals].sort(([, left], [, right]) => right - left).map(([name]) => name),
    totals,
    max: sorted.reduce((most, { total }) => Math.max(most, total), 1),
  };
}
