import { fieldNames } from '../../core/records/field-names.ts';
import { seriesFields } from '../../core/wire/query-results.ts';
import type { Row } from '../api/rows.ts';
import { duration } from '../records/times.ts';
import { isNumber, type Unit, unitOf } from '../records/units.ts';
import type { TableResult } from '../state/results.ts';
import type { SearchState } from '../state/search-state.ts';

export type ResultShape = 'time' | 'number' | 'bars' | 'table';

/** A row with more numbers is shown as a table. */
const MAX_NUMBERS = 4;

/** The best chart type for a result. */
export function shapeOf(result: TableResult): ResultShape {
  const { rows, fieldOrder, extraData, groupedBy } = result;
  const columns = columnsOf(rows, fieldOrder);
  if (extraData.timechart === 'true' || (columns.includes('_bucket') && rows.length > 1)) return 'time';
  const numbers = numberColumns(result);
  if (rows.length === 1 && columns.length <= MAX_NUMBERS && numbers.length === columns.length)
    return 'number';
  return groupedBy.length > 0 && numbers.length > 0 && numbers.length < columns.length ? 'bars' : 'table';
}

export function columnsOf(rows: readonly Row[], fieldOrder: readonly string[]): readonly string[] {
  return fieldOrder.length > 0 ? fieldOrder : fieldNames(rows);
}

/** Columns of numbers: results of functions, and amounts with a unit. Others, such as IDs, only look like numbers. */
export function numberColumns({ rows, fieldOrder, groupedBy, numbers }: TableResult): readonly string[] {
  return columnsOf(rows, fieldOrder).filter((name) => {
    if (groupedBy.includes(name) || !(numbers.includes(name) || unitOf(name) !== undefined)) return false;
    const values = rows.map((row) => row[name]).filter((value) => value !== undefined && value !== '');
    return values.length > 0 && values.every(isNumber);
  });
}

/** The rows in the order in which the page shows them. */
export function shownOrder(
  result: TableResult,
  rows: readonly Row[],
  { form, measure, sort }: Pick<SearchState, 'form' | 'measure' | 'sort'>,
): readonly Row[] {
  const shape = shapeOf(result);
  if (form === 'table' || shape === 'table') return sortRows(rows, sort);
  return shape === 'bars' ? largestRows(rows, measureOf(result, measure)) : rows;
}

/** The column of numbers that is drawn as bars. */
export function measureOf(result: TableResult, chosen: string): string {
  const numbers = numberColumns(result);
  return numbers.includes(chosen) ? chosen : numbers[0]!;
}

/** The rows by the size of the number in a column, largest first. */
export function largestRows(rows: readonly Row[], column: string): readonly Row[] {
  return rows.toSorted((left, right) => sizeOf(right, column) - sizeOf(left, column));
}

/** The column by which a table is sorted, and the direction. */
export function readSorting(sort: string): readonly [column: string, direction: 1 | -1] {
  return sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
}

export function sortRows(rows: readonly Row[], sort: string): readonly Row[] {
  const [column, direction] = readSorting(sort);
  return rows.toSorted((left, right) => {
    const [a, b] = [left[column] ?? '', right[column] ?? ''];
    const difference = Number(a) - Number(b);
    const byText = String(a) < String(b) ? -1 : Number(String(a) > String(b));
    return direction * (Number.isNaN(difference) ? byText : difference);
  });
}

/** The absolute value of the number in a column. */
export function sizeOf(row: Row, column: string): number {
  return Math.abs(Number(row[column] ?? 0));
}

/** A number in readable form: `12,345.68`. Other text stays unchanged. */
export function readable(value: string | number | undefined): string {
  if (value === undefined) return '';
  const number = Number(value);
  if (!isNumber(value) || Math.abs(number) >= 1e15) return String(value);
  return number.toLocaleString(
    'en',
    Math.abs(number) < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 2 },
  );
}

/** The range of numbers; empty if some are larger than numbers are exact, so that their average may be beyond them. */
export function rangeText({ min, avg, max }: Row): string {
  const isExact = [min, max].every((each) => Math.abs(Number(each)) <= Number.MAX_SAFE_INTEGER);
  return isExact ? `min ${min} · avg ${readable(avg)} · max ${max}` : '';
}

const BYTES = ['B', 'KB', 'MB', 'GB', 'TB'];

/** A number with its unit: `1.2 s`, `3.4 MB`, `12 %`. */
export function withUnit(value: number, unit: Unit | undefined): string {
  if (unit === 'ms') return value < 0 ? `-${duration(-value)}` : duration(value);
  if (unit === '%') return `${readable(value)} %`;
  if (unit === undefined) return readable(value);
  const place = Math.min(
    BYTES.length - 1,
    Math.floor(Math.log(Math.max(1, Math.abs(value))) / Math.log(1000)),
  );
  return `${readable(value / 1000 ** place)} ${BYTES[place]}`;
}

export interface TimeSeries {
  /** Epoch milliseconds. */
  readonly times: readonly number[];
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  /** Whether the series are parts of a whole, such as the groups of one count. */
  readonly canStack: boolean;
  /** The unit of all series, if they share one. */
  readonly unit: Unit | undefined;
}

/** Leaves the times at both ends out in which no series has a value but zero: they may not be read yet. */
function withoutUnread(series: TimeSeries['series'], length: number): TimeSeries['series'] {
  const isRead = (place: number): boolean => series.some(({ values }) => (values[place] ?? 0) !== 0);
  const places = Array.from({ length }, (_, place) => place);
  const [first, last] = [places.findIndex(isRead), places.findLastIndex(isRead)];
  return series.map(({ name, values }) => ({
    name,
    values: values.map((value, place) => (place < first || place > last ? null : value)),
  }));
}

/** Rows of `timeChart()` as one list of values per series. */
export function timeSeries({ rows, fieldOrder, extraData, isPart = false }: TableResult): TimeSeries {
  const columns = columnsOf(rows, fieldOrder);
  const groups = seriesFields(extraData);
  const measures = columns.filter((name) => name !== '_bucket' && !groups.includes(name));
  const times = [...new Set(rows.map((row) => Number(row._bucket)))].sort((left, right) => left - right);
  const places = new Map(times.map((time, index) => [time, index]));
  const series = new Map<string, (number | null)[]>();
  for (const row of rows) {
    const label = groups.map((name) => row[name] ?? '').join(' · ');
    for (const measure of measures) {
      const name = [label, measures.length > 1 || groups.length === 0 ? measure : '']
        .filter((part) => part !== '')
        .join(' · ');
      const values = series.get(name) ?? new Array<number | null>(times.length).fill(null);
      series.set(name, values);
      const value = row[measure];
      values[places.get(Number(row._bucket))!] = isNumber(value) ? Number(value) : null;
    }
  }
  const all = [...series].map(([name, values]) => ({ name, values }));
  return {
    times,
    series: isPart ? withoutUnread(all, times.length) : all,
    canStack: groups.length > 0 && measures.length === 1,
    unit: measures.every((name) => unitOf(name) === unitOf(measures[0]!)) ? unitOf(measures[0]!) : undefined,
  };
}
