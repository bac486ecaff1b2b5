import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { severityOf } from '../../internal/records/severity.ts';
import { axisTime, fullTime } from '../records/times.ts';
import { lineText } from '../records/visible-text.ts';
import { setRange } from '../search/change-search.ts';
import { search, update } from '../state/page-state.ts';
import type { TableResult } from '../state/results.ts';
import type { ChartKind } from '../state/search-state.ts';
import { readable, type TimeSeries, timeSeries } from './result-shape.ts';

const KINDS: readonly ChartKind[] = ['line', 'area', 'bar'];
const MIN_HEIGHT = 200;
const LEGEND_HEIGHT = 90;

/** Values over time. A drag zooms in; the legend shows the values under the pointer. */
export function TimeChart({ result }: { result: TableResult }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const { chart, timeZone } = search.value;
  const data = useMemo(() => timeSeries(result), [result]);
  const plot = useRef<uPlot>(null);
  const shape = JSON.stringify([chart, timeZone, data.series.map(({ name }) => name)]);
  useEffect(() => {
    const element = host.current!;
    plot.current = new uPlot(plotOptions(element, data, chart, timeZone), alignedData(data), element);
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
  }, [shape]);
  useEffect(() => plot.current?.setData(alignedData(data)), [data]);
  return (
    <div class="time-chart">
      <div class="segmented" role="group" aria-label="Form of the chart">
        {KINDS.map((kind) => (
          <button
            type="button"
            key={kind}
            aria-pressed={chart === kind}
            onClick={() => update({ chart: kind })}
          >
            {{ line: 'Lines', area: 'Areas', bar: 'Bars' }[kind]}
          </button>
        ))}
      </div>
      <div
        class="plot"
        ref={host}
        role="img"
        aria-label={`Chart of ${data.series.length} series over time`}
      />
    </div>
  );
}

function alignedData({ times, series }: TimeSeries): uPlot.AlignedData {
  return [times.map((time) => time / 1000), ...series.map(({ values }) => [...values])] as uPlot.AlignedData;
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  const { width, height } = element.getBoundingClientRect();
  return { width, height: Math.max(MIN_HEIGHT, height - LEGEND_HEIGHT) };
}

/** A color of the style sheet as it is now: a canvas knows no variables, and no `light-dark()`. */
function color(name: string): string {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(${name})`;
  const computed = getComputedStyle(probe).color;
  probe.remove();
  return computed;
}

function seriesColor(name: string, place: number): string {
  const severity = severityOf(name);
  return severity === 'none' ? `--rank-${place % 8}` : `--${severity}`;
}

function plotOptions(
  element: HTMLElement,
  data: TimeSeries,
  chart: ChartKind,
  timeZone: string,
): uPlot.Options {
  const grid = { stroke: () => color('--line'), width: 1 };
  const axis = { stroke: () => color('--dim'), grid, ticks: grid, font: '11px system-ui' };
  const marks = (_: uPlot, times: number[]): string[] => {
    const stepMs = 1000 * ((times[1] ?? 0) - (times[0] ?? 0)) || 60_000;
    const spanMs = 1000 * ((times.at(-1) ?? 0) - (times[0] ?? 0));
    return times.map((time) => axisTime(1000 * time, stepMs, spanMs, timeZone));
  };
  return {
    ...sizeOf(element),
    cursor: { drag: { x: true, y: false, setScale: false }, focus: { prox: 24 } },
    focus: { alpha: 0.4 },
    scales: { y: { range: (_, min, max) => [Math.min(0, min ?? 0), Math.max(1e-9, max ?? 1) * 1.05] } },
    axes: [
      { ...axis, values: marks },
      { ...axis, size: 60, values: (_, values) => values.map((value) => readable(value)) },
    ],
    series: [
      { value: (_, time) => (time === null ? '' : fullTime(1000 * time, timeZone)), label: 'Time' },
      ...data.series.map(({ name }, place) => seriesOptions(name, place, chart)),
    ],
    hooks: { setSelect: [zoom] },
  };
}

function seriesOptions(name: string, place: number, chart: ChartKind): uPlot.Series {
  const variable = seriesColor(name, place);
  const fill = (): string =>
    `color-mix(in srgb, ${color(variable)} ${chart === 'bar' ? 75 : 22}%, transparent)`;
  return {
    label: lineText(name, 40) || '(none)',
    stroke: () => color(variable),
    width: 1.5,
    points: { show: chart !== 'bar', size: 4 },
    value: (_, value) => readable(value ?? ''),
    ...(chart === 'line' ? {} : { fill }),
    ...(chart === 'bar' ? { paths: uPlot.paths.bars!({ size: [0.8, 60] }) } : {}),
  };
}

function zoom(plot: uPlot): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  const [start, end] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
  setRange(String(Math.round(1000 * start)), String(Math.round(1000 * end)));
}
