import { isDecimal } from '../../core/number-columns.ts';
import { fieldNames } from '../../core/records/field-names.ts';
import { type BarColumn, barColumn } from './bar-column.ts';
import { eventLinesFormat } from './event-lines.ts';
import { rounded } from './rounded.ts';
import { cellText, type Row, type RowFormat, type RowShape, type Surface } from './row-format.ts';
import { visibleLine } from './terminal-text.ts';
import { cutTo, pad, widthOf } from './text-width.ts';
import { drawTimeChart } from './time-chart.ts';
import { bucketText, isTimeColumn, timeText } from './time-text.ts';

const GAP = '  ';
const MIN_COLUMN_WIDTH = 6;

type NumberSurface = Surface & Pick<RowShape, 'numbers'>;

interface Column {
  readonly name: string;
  /** As displayed. */
  readonly cells: readonly string[];
  readonly isNumeric: boolean;
  width: number;
}

/**
 * Aggregates as a table, and events as lines. On a terminal, results of functions are rounded, counts get bars, and a chart replaces
 * the table of time buckets.
 */
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
    end: () => (all.length === 0 ? [] : [tableText(all, shape, surface)]),
  };
}

function tableText(rows: readonly Row[], { columns, groups, numbers }: RowShape, surface: Surface): string {
  const names = columns ?? fieldNames(rows);
  const chart = surface.draws ? drawTimeChart(rows, names, surface, groups) : [];
  const lines = chart.length > 0 ? chart : tableLines(rows, names, { ...surface, numbers });
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function tableLines(rows: readonly Row[], names: readonly string[], surface: NumberSurface): string[] {
  const { colors, isTerminal, width } = surface;
  const bars = surface.draws ? barColumn(rows, names, width) : undefined;
  const table = names.map((name) => columnOf(rows, name, surface));
  fitInto(table, bars === undefined ? width : width - bars.width - GAP.length);
  const withBar = (line: string, textOf: (column: BarColumn) => string): string =>
    bars === undefined ? line : `${line}${GAP}${textOf(bars)}`;
  const header = lineOf(table, ({ name }) => visibleLine(name));
  const rule = lineOf(table, (column) => '─'.repeat(column.width));
  return [
    colors.bold(withBar(header, ({ label }) => label)),
    ...(isTerminal ? [colors.dim(withBar(rule, (column) => '─'.repeat(column.width)))] : []),
    ...rows.map((_, index) =>
      withBar(
        lineOf(table, ({ cells }) => cells[index]!),
        ({ bars: drawn }) => (drawn[index] === '' ? '' : colors.cyan(drawn[index]!)),
      ),
    ),
  ];
}

function columnOf(rows: readonly Row[], name: string, surface: NumberSurface): Column {
  const { timeZone, isTerminal, numbers } = surface;
  const isTime = isTimeColumn(name);
  const texts = rows.map((row) => {
    const text = cellText(row, name);
    // A query can turn a time into text.
    const shown = !isTime ? text : name === '_bucket' ? bucketText(text, timeZone) : timeText(text, timeZone);
    return visibleLine(shown);
  });
  const isNumeric = !isTime && texts.every((text) => text === '' || isDecimal(text));
  const isResult = numbers?.has(name) || rows.some((row) => typeof row[name] === 'number');
  const cells = isNumeric && isResult && isTerminal ? aligned(texts.map(rounded)) : texts;
  const width = cells.reduce((most, cell) => Math.max(most, widthOf(cell)), widthOf(visibleLine(name)));
  return { name, cells, isNumeric, width };
}

/** Aligns decimal points: 72.4 ends below the digits of 216.07. */
function aligned(cells: readonly string[]): readonly string[] {
  return cells.some((cell) => /\.\d\d$/.test(cell))
    ? cells.map((cell) => cell.replace(/\.\d$/, '$&0'))
    : cells;
}

/** Narrows the widest columns until the line fits. */
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
