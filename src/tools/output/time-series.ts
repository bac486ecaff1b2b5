import { cellText, type Row } from './row-format.ts';
import { visibleLine } from './terminal-text.ts';

export interface TimeSeries {
  readonly label: string;
  /** One per bucket; `undefined` where the series has none. */
  readonly values: (number | undefined)[];
}

export interface TimeBuckets {
  /** Start of each bucket in epoch milliseconds, as text, oldest first. */
  readonly buckets: readonly string[];
  readonly series: readonly TimeSeries[];
  /** Whether the values of all series add up to a total, as counts do. */
  readonly isAdditive: boolean;
}

/** The rows of a `timeChart()` or `bucket()` as series; `undefined` if there are fewer than two time buckets. */
export function timeBucketsOf(
  rows: readonly Row[],
  columns: readonly string[],
  groups: readonly string[] = [],
): TimeBuckets | undefined {
  const buckets = [...new Set(rows.map((row) => cellText(row, '_bucket')))].filter((text) => text !== '');
  if (!columns.includes('_bucket') || buckets.length < 2) return undefined;
  buckets.sort((left, right) => Number(left) - Number(right));
  const others = columns.filter((column) => column !== '_bucket');
  const keys =
    groups.length > 0 ? others.filter((name) => groups.includes(name)) : likelyGroups(rows, others);
  const values = others.filter((column) => !keys.includes(column));
  const isAdditive = values.length === 1 && /^_?(count|sum)/.test(values[0]!);
  return { buckets, series: seriesOf(rows, { keys, values, buckets }), isAdditive };
}

/** Without metadata: a field that names the series precedes the aggregates. Its values can be numbers, too. */
function likelyGroups(rows: readonly Row[], columns: readonly string[]): readonly string[] {
  const isValue = (column: string): boolean =>
    rows.every((row) => Number.isFinite(Number(cellText(row, column))));
  const isUnique = new Set(rows.map((row) => cellText(row, '_bucket'))).size === rows.length;
  return columns.filter(
    (column, index) => !isValue(column) || (!isUnique && index === 0 && columns.length > 1),
  );
}

/** @param keys columns that name the series */
function seriesOf(
  rows: readonly Row[],
  { keys, values, buckets }: Readonly<Record<'keys' | 'values' | 'buckets', readonly string[]>>,
): TimeSeries[] {
  const place = new Map(buckets.map((bucket, index) => [bucket, index]));
  const series = new Map<string, TimeSeries>();
  for (const row of rows) {
    const index = place.get(cellText(row, '_bucket'));
    if (index === undefined) continue;
    const key = keys.map((column) => cellText(row, column)).join(' ');
    for (const column of values) {
      const label = visibleLine(values.length === 1 && key !== '' ? key : `${key} ${column}`.trim());
      let line = series.get(label);
      if (line === undefined) {
        line = { label, values: new Array<number | undefined>(buckets.length).fill(undefined) };
        series.set(label, line);
      }
      const text = cellText(row, column);
      line.values[index] = text === '' ? undefined : Number(text);
    }
  }
  return [...series.values()];
}
