import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { severityOf } from '../../core/records/severity.ts';
import { axisTime, fullTime } from '../records/times.ts';
import { lineText } from '../records/visible-text.ts';
import { setRange } from '../search/change-search.ts';
import { type TimeSeries, timeSeries, withUnit } from '../search/result-shape.ts';
import { loadScript } from '../state/load-script.ts';
import { search, update } from '../state/page-state.ts';
import type { TableResult } from '../state/results.ts';
import type { SearchState } from '../state/search-state.ts';
import { Button } from '../widgets/button.tsx';
import { ScaleButton } from '../widgets/scale-button.tsx';

type Library = typeof uPlot;

/** `undefined` until it is loaded, and the reason for the user if that failed. */
const chartLibrary = signal<Library | string | undefined>(undefined);

const KINDS = ['line', 'area', 'bar'] as const;
const MIN_HEIGHT = 200;
const LEGEND_HEIGHT = 90;
/** Width of `11-22 17:05`. */
const MARK_WIDTH = 90;

/** Values over time. Dragging zooms in; the legend shows the values under the pointer. */
export function TimeChart({ result }: { result: TableResult }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const { chart, timeZone, scale } = search.value;
  const data = useMemo(() => timeSeries(result), [result]);
  const columns = useMemo(() => drawnColumns(data, chart), [data, chart]);
  const plot = useRef<uPlot>(null);
  const shape = JSON.stringify([chart, timeZone, scale, data.unit, data.series.map(({ name }) => name)]);
  const library = chartLibrary.value;
  useEffect(() => {
    loadScript<Library>('charts.js', 'uPlot').then((loaded) => {
      chartLibrary.value = loaded ?? "The script for charts can't be loaded. Reload the page.";
    });
  }, []);
  useEffect(() => {
    if (typeof library !== 'function') return;
    const element = host.current!;
    const look = { chart, timeZone, scale, data, paths: library.paths };
    plot.current = new library(plotOptions(element, look), columns, element);
    const observer = new ResizeObserver(() => plot.current?.setSize(sizeOf(element)));
    observer.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = (): void => plot.current?.redraw();
    scheme.addEventListener('change', redraw);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', redraw);
      plot.current?.destroy();
    };
  }, [shape, library]);
  useEffect(() => plot.current?.setData(columns), [columns]);
  return (
    <div class="time-chart">
      <div class="segmented" role="group" aria-label="Form of the chart">
        {KINDS.map((kind) => (
          <Button key={kind} aria-pressed={chart === kind} onClick={() => update({ chart: kind })}>
            {{ line: 'Lines', area: 'Areas', bar: 'Bars' }[kind]}
          </Button>
        ))}
        <ScaleButton />
      </div>
      <div class="plot" ref={host} role="img" aria-label={`Chart of ${data.series.length} series over time`}>
        {typeof library === 'string' && library}
      </div>
    </div>
  );
}

function isStacked({ canStack }: TimeSeries, chart: SearchState['chart']): boolean {
  return canStack && chart === 'bar';
}

/** The columns in drawing order: bars of a stack from the top, so that none hides another. */
function drawnColumns(data: TimeSeries, chart: SearchState['chart']): uPlot.AlignedData {
  const times = data.times.map((time) => time / 1000);
  const columns = data.series.map(({ values }) => [...values]);
  if (!isStacked(data, chart)) return [times, ...columns];
  const heights = times.map(() => 0);
  const stacked = columns.map((values) =>
    values.map((value, index) => {
      heights[index]! += value ?? 0;
      return heights[index]!;
    }),
  );
  return [times, ...stacked.toReversed()];
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  const { width, height } = element.getBoundingClientRect();
  return { width, height: Math.max(MIN_HEIGHT, height - LEGEND_HEIGHT) };
}

/** The current value of a color in the style sheet, because a canvas supports neither variables nor `light-dark()`. */
function color(name: string): string {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(${name})`;
  const computed = getComputedStyle(probe).color;
  probe.remove();
  return computed;
}

interface ChartLook extends Pick<SearchState, 'chart' | 'timeZone' | 'scale'> {
  readonly data: TimeSeries;
  readonly paths: (typeof uPlot)['paths'];
}

function plotOptions(element: HTMLElement, look: ChartLook): uPlot.Options {
  const { data, chart, timeZone, scale } = look;
  const series = data.series.map(({ name }, place) => seriesOptions(name, place, look));
  const grid = { stroke: () => color('--line'), width: 1 };
  const axis = { stroke: () => color('--dim'), grid, ticks: grid, font: '11px system-ui' };
  const marks = (_: uPlot, times: number[]): string[] => {
    const stepMs = 1000 * ((times[1] ?? 0) - (times[0] ?? 0)) || 60_000;
    const spanMs = 1000 * ((times.at(-1) ?? 0) - (times[0] ?? 0));
    return times.map((time) => axisTime(1000 * time, stepMs, spanMs, timeZone));
  };
  return {
    ...sizeOf(element),
    cursor: {
      drag: { x: true, y: false, setScale: false },
      focus: { prox: isStacked(data, chart) ? -1 : 24 },
    },
    focus: { alpha: 0.4 },
    scales: {
      y: {
        // Like a logarithm, but defined for zero and negative numbers.
        distr: scale === 'log' ? 4 : 1,
        range: (_, min, max) => [Math.min(0, min ?? 0), Math.max(1e-9, max ?? 1) * 1.05],
      },
    },
    axes: [
      { ...axis, values: marks, space: MARK_WIDTH },
      { ...axis, size: 60, values: (_, values) => values.map((value) => withUnit(value, data.unit)) },
    ],
    series: [
      { value: (_, time) => (time === null ? '' : fullTime(1000 * time, timeZone)), label: 'Time' },
      ...(isStacked(data, chart) ? series.toReversed() : series),
    ],
    hooks: { setSelect: [zoom] },
  };
}

function seriesOptions(name: string, place: number, { data, chart, paths }: ChartLook): uPlot.Series {
  const stacked = isStacked(data, chart);
  const severity = severityOf(name);
  const variable = severity === 'none' ? `--rank-${place % 8}` : `--${severity}`;
  const opacity = stacked ? 100 : chart === 'bar' ? 75 : 22;
  const fill = (): string => `color-mix(in srgb, ${color(variable)} ${opacity}%, transparent)`;
  const valueAt = (plot: uPlot, value: number | null, series: number, time: number | null): string => {
    if (value === null || time === null) return '';
    // A bar of a stack includes those below it, which are drawn later.
    const below = stacked ? (plot.data[series + 1]?.[time] ?? 0) : 0;
    return withUnit(value - below, data.unit);
  };
  return {
    label: lineText(name, 40) || '(none)',
    stroke: () => color(variable),
    width: stacked ? 0 : 1.5,
    points:
      chart === 'bar' ? { show: false } : { size: 4, fill: () => color(variable), filter: isolatedPoints },
    value: valueAt,
    ...(chart === 'line' ? {} : { fill }),
    ...(chart === 'bar' ? { paths: paths.bars!({ size: [0.8, 60] }) } : {}),
  };
}

/** In a chart that is too dense for points, isolated values still need one. */
function isolatedPoints({ data }: uPlot, series: number, showsAll: boolean): number[] | null {
  if (showsAll) return null;
  const values = data[series]!;
  const places = Array.from(values, (_, index) => index);
  return places.filter(
    (index) => values[index] != null && values[index - 1] == null && values[index + 1] == null,
  );
}

function zoom(plot: uPlot): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  const [start, end] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
  setRange(String(Math.round(1000 * start)), String(Math.round(1000 * end)));
}
