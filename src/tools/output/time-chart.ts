import { isLevel, paintLevel } from './colors.ts';
import { rounded } from './rounded.ts';
import type { Row, Surface } from './row-format.ts';
import { sourceColors } from './source-colors.ts';
import { type StackOptions, stackedColumns, sumOf } from './stacked-columns.ts';
import { cutTo, pad, widthOf } from './text-width.ts';
import { type TimeBuckets, type TimeSeries, timeBucketsOf } from './time-series.ts';
import { bucketText } from './time-text.ts';

const MAX_WIDTH = 160;
const MAX_LABEL_WIDTH = 30;
const MAX_SERIES = 20;
/** Maximum number of charts for values that don't add up. */
const MAX_PANELS = 4;
const FILLS = ['█', '▓', '▒', '░'];

/** Its width is right of the axis. */
interface Chart extends StackOptions {
  readonly axisWidth: number;
}

/**
 * The rows of a `timeChart()` or `bucket()` as a chart eight rows high, with axes and a legend. Counts and sums are
 * stacked. Other values get a chart for each series, all with the same scale.
 *
 * @returns lines without newlines; none if the rows have no time buckets or negative values.
 */
export function drawTimeChart(
  rows: readonly Row[],
  columns: readonly string[],
  surface: Surface,
  keys?: readonly string[],
): string[] {
  const buckets = timeBucketsOf(rows, columns, keys);
  if (buckets === undefined || buckets.series.length === 0) return [];
  const isStack = buckets.isAdditive || buckets.series.length === 1;
  const shown = buckets.series.slice(0, isStack ? MAX_SERIES : MAX_PANELS);
  if (shown.some(({ values }) => values.some((value) => value !== undefined && !(value >= 0)))) return [];
  const groups = isStack ? [shown] : shown.map((series) => [series]);
  const chart = chartOf(groups, shown, surface);
  const left = buckets.series.length - shown.length;
  return [
    ...groups.flatMap((group) => panel(group, shown, chart, surface)),
    ...timeAxis(buckets, chart, surface),
    ...(isStack ? legend(shown, chart, surface) : []),
    ...(left > 0 ? [surface.colors.dim(`and ${left} more series`)] : []),
  ];
}

function chartOf(
  groups: readonly (readonly TimeSeries[])[],
  shown: readonly TimeSeries[],
  { colors, width }: Surface,
): Chart {
  const top = niceTop(Math.max(...groups.flatMap((group) => stacksOf(group).map(sumOf))));
  const axisWidth = Math.max(numberText(top).length, numberText(top / 2).length);
  const hasPatterns = !colors.isColorSupported && shown.length > 1;
  const colorOf = sourceColors(colors);
  return {
    top,
    axisWidth,
    width: Math.max(10, Math.min(MAX_WIDTH, width - axisWidth - 2)),
    fillOf: (index) => (hasPatterns ? FILLS[index % FILLS.length]! : FILLS[0]!),
    paint: (index, text) => {
      const { label } = shown[index]!;
      return isLevel(label) ? paintLevel(label, text, colors) : colorOf(label)(text);
    },
  };
}

/** A chart of series that are stacked, without its time axis. */
function panel(
  group: readonly TimeSeries[],
  all: readonly TimeSeries[],
  { top, axisWidth, width, fillOf, paint }: Chart,
  { colors }: Surface,
): string[] {
  const indexOf = (index: number): number => all.indexOf(group[index]!);
  const lines = stackedColumns(stacksOf(group), {
    top,
    width,
    fillOf: (index) => fillOf(indexOf(index)),
    paint: (index, text) => paint(indexOf(index), text),
  });
  const title = group.length === all.length ? [] : [legendText(group[0]!)];
  return [
    ...title,
    ...lines.map((line, index) => {
      const label = index === 0 ? numberText(top) : index === 4 ? numberText(top / 2) : '';
      return `${colors.dim(`${pad(label, axisWidth, 'right')} ${label === '' ? '│' : '┤'}`)}${line}`;
    }),
  ];
}

function timeAxis({ buckets }: TimeBuckets, { axisWidth, width }: Chart, surface: Surface): string[] {
  const { colors, timeZone } = surface;
  const bucketWidth = Math.max(1, Math.min(8, Math.floor(width / buckets.length)));
  const length = Math.min(width, buckets.length * bucketWidth);
  const from = bucketText(buckets[0]!, timeZone);
  const to = bucketText(buckets.at(-1)!, timeZone);
  const gap = length - from.length - to.length;
  const times = gap < 3 ? `${from} … ${to}` : from + ' '.repeat(gap) + to;
  const indent = ' '.repeat(axisWidth + 2);
  return [`${pad('0', axisWidth, 'right')} └${'─'.repeat(length)}`, `${indent}${times}`].map(colors.dim);
}

/** One entry per series, wrapped to the width of the terminal. */
function legend(shown: readonly TimeSeries[], { fillOf, paint }: Chart, { width }: Surface): string[] {
  const lines: { text: string; width: number }[] = [];
  for (const [index, series] of shown.entries()) {
    const text = `${paint(index, fillOf(index))} ${legendText(series)}`;
    const entryWidth = 2 + widthOf(legendText(series));
    const last = lines.at(-1);
    if (last === undefined || last.width + 3 + entryWidth > width) lines.push({ text, width: entryWidth });
    else lines.splice(-1, 1, { text: `${last.text}   ${text}`, width: last.width + 3 + entryWidth });
  }
  return lines.map(({ text }) => text);
}

function legendText({ label, values }: TimeSeries): string {
  const known = values.filter((value) => value !== undefined);
  const max = known.length === 0 ? '–' : numberText(Math.max(...known));
  return `${cutTo(label, MAX_LABEL_WIDTH)} max ${max}`;
}

function stacksOf(group: readonly TimeSeries[]): number[][] {
  return (group[0]?.values ?? []).map((_, bucket) => group.map(({ values }) => values[bucket] ?? 0));
}

/** The next number that is 1, 2, 3, 4, 5, 6, 8 or 10 times a power of ten, so that its half is short, too. */
function niceTop(max: number): number {
  if (!(max > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  return Number(([1, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= max)! * power).toPrecision(12));
}

const numberText = (value: number): string => rounded(String(value));
