import { cellText, type Row, type Surface } from '../output/row-format.ts';
import { visibleLine } from '../output/terminal-text.ts';
import { cutTo, pad, widthOf } from '../output/text-width.ts';
import { bucketText } from '../output/time-text.ts';
import { sparkline } from './sparkline.ts';

const MAX_LABEL_WIDTH = 30;
const MAX_LINE_WIDTH = 100;
const MAX_SERIES = 20;
const MAX_STRETCH = 4;

interface Series {
  readonly label: string;
  readonly values: (number | undefined)[];
}

/**
 * The rows of a `timeChart()` or `bucket()` as one small chart for each series: people look before they read.
 *
 * @returns lines without an end of line; none for rows that have no buckets of time.
 */
export function drawTimeChart(rows: readonly Row[], columns: readonly string[], surface: Surface): string[] {
  const buckets = [...new Set(rows.map((row) => cellText(row, '_bucket')))].filter((text) => text !== '');
  if (!columns.includes('_bucket') || buckets.length < 2) return [];
  buckets.sort((left, right) => Number(left) - Number(right));
  const all = seriesOf(rows, columns, buckets);
  const shown = all.slice(0, MAX_SERIES);
  if (shown.length === 0) return [];
  const labelWidth = Math.min(MAX_LABEL_WIDTH, Math.max(...shown.map(({ label }) => widthOf(label))));
  const lines = shown.map((series) => lineOf(series, labelWidth, surface));
  if (all.length > shown.length)
    lines.push(surface.colors.dim(`and ${all.length - shown.length} more series`));
  return [...lines, intervalLine(buckets, labelWidth, surface)];
}

function seriesOf(rows: readonly Row[], columns: readonly string[], buckets: readonly string[]): Series[] {
  const others = columns.filter((column) => column !== '_bucket');
  const isValue = (column: string): boolean => rows.every((row) => isNumeric(cellText(row, column)));
  // A field that names the series stands before what was counted, though its values may be numbers, too.
  const isUnique = new Set(rows.map((row) => cellText(row, '_bucket'))).size === rows.length;
  const keys = others.filter(
    (column, index) => !isValue(column) || (!isUnique && index === 0 && others.length > 1),
  );
  const values = others.filter((column) => !keys.includes(column));
  const place = new Map(buckets.map((bucket, index) => [bucket, index]));
  const series = new Map<string, Series>();
  for (const row of rows) {
    const index = place.get(cellText(row, '_bucket'));
    if (index === undefined) continue;
    const key = keys.map((column) => cellText(row, column)).join(' ');
    for (const column of values) {
      const label = visibleLine(values.length === 1 && key !== '' ? key : `${key} ${column}`.trim());
      let found = series.get(label);
      if (found === undefined) {
        found = { label, values: new Array<number | undefined>(buckets.length).fill(undefined) };
        series.set(label, found);
      }
      const text = cellText(row, column);
      found.values[index] = text === '' ? undefined : Number(text);
    }
  }
  return [...series.values()];
}

function lineOf({ label, values }: Series, labelWidth: number, { colors, width }: Surface): string {
  const known = values.filter((value) => value !== undefined);
  const summary = `max ${numberText(Math.max(...known))}`;
  const room = Math.max(10, Math.min(MAX_LINE_WIDTH, width - labelWidth - summary.length - 5));
  const line = stretched(sparkline(values, room), room);
  return `${pad(cutTo(label, labelWidth), labelWidth)}  ${colors.cyan(line)}  ${colors.dim(summary)}`;
}

/** A few buckets are easier to see when each of them is wide. */
function stretched(line: string, room: number): string {
  const times = Math.min(MAX_STRETCH, Math.floor(room / line.length));
  return times < 2 ? line : [...line].map((column) => column.repeat(times)).join('');
}

function intervalLine(buckets: readonly string[], labelWidth: number, { colors, timeZone }: Surface): string {
  const from = bucketText(buckets[0]!, timeZone);
  const to = bucketText(buckets.at(-1)!, timeZone);
  return colors.dim(`${' '.repeat(labelWidth)}  ${from} … ${to}`);
}

function isNumeric(text: string): boolean {
  return text === '' || Number.isFinite(Number(text));
}

function numberText(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 1000) / 1000) : '–';
}
