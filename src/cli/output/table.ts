import { bar } from '../terminal/bar.ts';
import { drawTimeChart } from '../terminal/time-chart.ts';
import { eventLinesFormat } from './event-lines.ts';
import { cellText, columnsOf, type Row, type RowFormat, type RowShape, type Surface } from './row-format.ts';
import { visibleLine } from './terminal-text.ts';
import { cutTo, pad, widthOf } from './text-width.ts';
import { bucketText, isTimeColumn, timeText } from './time-text.ts';

const GAP = '  ';
const MIN_COLUMN_WIDTH = 6;
const BAR_WIDTH = 20;
/** A narrower terminal has no room for bars beside the names of what is counted. */
const MIN_WIDTH_FOR_BARS = 50;
const MAX_ROWS_WITH_BARS = 200;

interface Column {
  readonly name: string;
  /** As they are shown. */
  readonly cells: readonly string[];
  readonly isNumeric: boolean;
  width: number;
}

/** For people: a table of an aggregate's rows, with bars where they help, and a line for each event. */
export function tableFormat(shape: RowShape, surface: Surface): RowFormat {
  if (!shape.isAggregate && (shape.columns === undefined || shape.isEndless)) {
    return eventLinesFormat(shape, surface);
  }
  const all: Row[] = [];
  return {
    rows(rows) {
      for (const row of rows) all.push(row);
      return '';
    },
    end: () => (all.length === 0 ? '' : tableText(all, shape, surface)),
  };
}

function tableText(rows: readonly Row[], { columns }: RowShape, surface: Surface): string {
  const names = columns ?? columnsOf(rows);
  const chart = surface.draws ? drawTimeChart(rows, names, surface) : [];
  const hasRoom = surface.draws && surface.width >= MIN_WIDTH_FOR_BARS;
  const bars = hasRoom && chart.length === 0 ? barsOf(rows, names) : undefined;
  const table = names.map((name) => columnOf(rows, name, surface.timeZone));
  const room = bars === undefined ? surface.width : surface.width - BAR_WIDTH - GAP.length;
  fitInto(table, room);
  const lines = [
    surface.colors.bold(lineOf(table, ({ name }) => visibleLine(name))),
    ...rows.map((_, index) => {
      const line = lineOf(table, ({ cells }) => cells[index]!);
      const drawn = bars?.[index];
      return drawn === undefined || drawn === '' ? line : `${line}${GAP}${surface.colors.cyan(drawn)}`;
    }),
    ...(chart.length === 0 ? [] : ['', ...chart]),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function columnOf(rows: readonly Row[], name: string, timeZone: string | undefined): Column {
  const isTime = isTimeColumn(name);
  const cells = rows.map((row) => {
    const value = cellText(row, name);
    if (!isTime) return visibleLine(value);
    // A query can make a text of it.
    return visibleLine(name === '_bucket' ? bucketText(value, timeZone) : timeText(value, timeZone));
  });
  return {
    name,
    cells,
    isNumeric: !isTime && cells.every((cell) => cell === '' || Number.isFinite(Number(cell))),
    width: cells.reduce((most, cell) => Math.max(most, widthOf(cell)), widthOf(visibleLine(name))),
  };
}

/** Takes from the widest columns until the line has room. */
function fitInto(columns: readonly Column[], width: number): void {
  let total = columns.reduce((sum, column) => sum + column.width + GAP.length, -GAP.length);
  while (total > width) {
    const widest = columns.reduce((most, column) => (column.width > most.width ? column : most));
    if (widest.width <= MIN_COLUMN_WIDTH) return;
    const next = columns.reduce(
      (most, column) => (column === widest ? most : Math.max(most, column.width)),
      0,
    );
    const cut = Math.min(
      total - width,
      widest.width - Math.max(MIN_COLUMN_WIDTH, Math.min(next, widest.width - 1)),
    );
    widest.width -= cut;
    total -= cut;
  }
}

function lineOf(columns: readonly Column[], textOf: (column: Column) => string): string {
  return columns
    .map((column) =>
      pad(cutTo(textOf(column), column.width), column.width, column.isNumeric ? 'right' : 'left'),
    )
    .join(GAP);
}

/** Bars for the rows of `groupBy(…)` and `top(…)`: what they count is the last column, after what it is counted by. */
function barsOf(rows: readonly Row[], names: readonly string[]): string[] | undefined {
  const last = names.at(-1);
  if (rows.length < 2 || rows.length > MAX_ROWS_WITH_BARS || names.length < 2 || last === undefined)
    return undefined;
  if (!last.startsWith('_') && names.length !== 2) return undefined;
  const values = rows.map((row) => (cellText(row, last) === '' ? Number.NaN : Number(cellText(row, last))));
  if (!values.every((value) => value >= 0)) return undefined;
  const max = Math.max(...values);
  return max > 0 ? values.map((value) => bar(value, max, BAR_WIDTH)) : undefined;
}
