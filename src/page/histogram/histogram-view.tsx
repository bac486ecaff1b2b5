import type { JSX, TargetedPointerEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { severityOf } from '../../core/records/severity.ts';
import { compact } from '../records/compact.ts';
import { rankColor } from '../records/rank-color.ts';
import { axisTime, clockTime, duration, fullTime, zoneOffset } from '../records/times.ts';
import { lineText } from '../records/visible-text.ts';
import { setRange } from '../search/change-search.ts';
import { compareAt, comparedInterval, isChoosingMoment } from '../search/compared.ts';
import { shownRequest } from '../search/shown-request.ts';
import { search, update } from '../state/page-state.ts';
import { readShare } from '../state/results.ts';
import { INITIAL_STATE } from '../state/search-state.ts';
import { Button } from '../widgets/button.tsx';
import { DRAG_PX } from '../widgets/drag-sideways.ts';
import { ScaleButton } from '../widgets/scale-button.tsx';
import { type Bucket, bucketSpan, countAt, type Histogram, heightOf } from './buckets.ts';
import { histogram, isHistogramStale } from './load-histogram.ts';

const HEIGHT = 100;
const MAX_MARKS = 10;
/** Marks further right would be clipped. */
const LAST_MARK = 0.95;

/** Number of events over time. A click on a bar, or a drag over several, zooms in. */
export function HistogramView(): JSX.Element {
  const data = histogram.value;
  if (data === undefined || data.buckets.length === 0) return <div class="histogram fixed" />;
  return (
    <figure
      class="histogram fixed"
      aria-label="Number of records over time"
      data-stale={isHistogramStale.value || undefined}
    >
      {search.value.series !== INITIAL_STATE.series && <Legend data={data} />}
      <div class="histogram-plot">
        <CountAxis max={data.max} />
        <Bars data={data} />
      </div>
      <TimeAxis data={data} />
    </figure>
  );
}

/** Labels for the count of the highest bar and of half its height. */
function CountAxis({ max }: { max: number }): JSX.Element {
  const half = countAt(0.5, max, search.value.scale);
  return (
    <div class="count-axis dim">
      <span aria-hidden="true">{compact(max)}</span>
      <span aria-hidden="true">{half > 0 && half < max ? compact(half) : ''}</span>
      <ScaleButton />
    </div>
  );
}

/** Legend of the colors. Colors of levels are explained by the level buttons. */
function Legend({ data: { series, totals } }: { data: Histogram }): JSX.Element {
  return (
    <figcaption class="histogram-legend small">
      <Button title="Stack by level again" onClick={() => update({ series: INITIAL_STATE.series })}>
        by <bdi>{lineText(search.value.series, 40)}</bdi> ✕
      </Button>
      {series.map((name, place) => seriesCount(name, place, totals.get(name)!))}
    </figcaption>
  );
}

function Bars({ data }: { data: Histogram }): JSX.Element {
  const { buckets, spanMs } = data;
  const [pointed, setPointed] = useState<number | undefined>(undefined);
  const [from, setFrom] = useState<number | undefined>(undefined);
  const startX = useRef(0);
  const placeOf = ({ currentTarget, clientX }: TargetedPointerEvent<HTMLDivElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(0.9999, Math.max(0, (clientX - left) / width));
    return Math.floor(share * buckets.length);
  };
  const onPointerUp = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    if (from === undefined) return;
    const to = Math.abs(event.clientX - startX.current) < DRAG_PX ? from : placeOf(event);
    setFrom(undefined);
    if (isChoosingMoment.value) compareAt(buckets[to]!.start);
    else {
      const [first, last] = [buckets[Math.min(from, to)]!, buckets[Math.max(from, to)]!];
      setRange(String(first.start), String(last.start + spanMs - 1));
    }
  };
  const place = Math.min(pointed ?? Math.floor(buckets.length / 2), buckets.length - 1);
  const unread = unreadBuckets(buckets);
  const first = isChoosingMoment.value ? place : from;
  const range = first === undefined ? undefined : [Math.min(first, place), Math.max(first, place)];
  return (
    <div
      class="histogram-bars"
      data-choosing={isChoosingMoment.value || undefined}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        startX.current = event.clientX;
        setFrom(placeOf(event));
      }}
      onPointerMove={(event) => setPointed(placeOf(event))}
      onPointerLeave={() => setPointed(undefined)}
      onPointerUp={onPointerUp}
    >
      <BarShapes data={data} />
      <Moment data={data} />
      {unread > 0 && <div class="histogram-unread" style={shareOf(0, unread, buckets.length)} />}
      {isChoosingMoment.value && <MomentChoice buckets={buckets} place={place} onMove={setPointed} />}
      {range !== undefined && (
        <div class="histogram-range" style={shareOf(range[0]!, range[1]! + 1, buckets.length)} />
      )}
      {pointed !== undefined && pointed >= unread && buckets[pointed] !== undefined && (
        <BucketNote bucket={buckets[pointed]!} data={data} share={pointed / buckets.length} />
      )}
    </div>
  );
}

/** How many buckets at the start may have records that are not read yet: files are read from their ends. */
function unreadBuckets(buckets: readonly Bucket[]): number {
  if (readShare.value === undefined) return 0;
  const first = buckets.findIndex(({ total }) => total > 0);
  return first === -1 ? buckets.length : first;
}

/** Marks the intervals before and after the moment that are compared. */
function Moment({ data: { buckets, spanMs } }: { data: Histogram }): JSX.Element | null {
  const compared = comparedInterval.value;
  if (compared === undefined) return null;
  const [start, end] = [compared.start, compared.end].map((time) => (time - buckets[0]!.start) / spanMs);
  return <div class="histogram-moment" style={shareOf(start!, end!, buckets.length)} />;
}

interface MomentChoiceProps {
  readonly buckets: readonly Bucket[];
  readonly place: number;
  readonly onMove: (place: number | undefined) => void;
}

/** Chooses the moment with the arrow keys and Enter. The pointer reaches the bars below it. */
function MomentChoice({ buckets, place, onMove }: MomentChoiceProps): JSX.Element {
  const slider = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    slider.current!.focus();
    return () => {
      onMove(undefined);
      before?.focus();
    };
  }, []);
  const { start } = buckets[place]!;
  return (
    <input
      class="moment-choice"
      type="range"
      ref={slider}
      max={buckets.length - 1}
      value={place}
      aria-label="Moment to compare at"
      aria-valuetext={fullTime(start, search.value.timeZone)}
      onInput={({ currentTarget }) => onMove(currentTarget.valueAsNumber)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') isChoosingMoment.value = false;
        if (event.key !== 'Enter') return;
        // The key would press the button that gets the focus again.
        event.preventDefault();
        compareAt(start);
      }}
    />
  );
}

/** The next click on the bars sets the moment to compare at. Clicked again, it ends the comparison. */
export function CompareButton(): JSX.Element | null {
  const compared = comparedInterval.value;
  const { timeZone } = search.value;
  if (histogram.value === undefined || shownRequest.value !== undefined) return null;
  const time = compared && clockTime((compared.start + compared.end) / 2, timeZone).slice(0, 8);
  const invitation = isChoosingMoment.value ? 'Click the moment, or ← → ↵' : 'Before ↔ after…';
  return (
    <Button
      aria-pressed={isChoosingMoment.value}
      title={time ? 'End the comparison' : 'Choose a moment, such as a deployment, to see what changed'}
      onClick={() => {
        isChoosingMoment.value = !(isChoosingMoment.value || time);
        if (time) update({ moment: '' });
      }}
    >
      {time ? `Before ↔ after ${time} ✕` : invitation}
    </Button>
  );
}

function shareOf(start: number, end: number, count: number): { left: string; width: string } {
  return { left: `${(100 * start) / count}%`, width: `${(100 * (end - start)) / count}%` };
}

function BarShapes({ data: { buckets, series, max } }: { data: Histogram }): JSX.Element {
  const { scale } = search.value;
  return (
    <svg viewBox={`0 0 ${buckets.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {buckets.map((bucket, index) => {
        let top = HEIGHT;
        // Each value has its share of the bar on either scale.
        const bar = HEIGHT * heightOf(bucket.total, max, scale);
        return series.map((name, place) => {
          const height = (bar * (bucket.counts.get(name) ?? 0)) / bucket.total;
          if (!(height > 0)) return null;
          top -= height;
          return (
            <rect
              key={`${index} ${name}`}
              class="bar"
              {...colorOf(name, place)}
              x={index + 0.08}
              y={top}
              width={0.84}
              height={height}
            />
          );
        });
      })}
    </svg>
  );
}

/** Levels and missing values have the color of their severity, other values a color by rank. */
function colorOf(name: string, place: number) {
  const severity = severityOf(name);
  return severity === 'none' && name !== '' ? rankColor(place) : { 'data-severity': severity };
}

function seriesCount(name: string, place: number, count: number): JSX.Element {
  return (
    <span key={name}>
      <i class="swatch" {...colorOf(name, place)} />
      <bdi>{lineText(name, 30) || '(none)'}</bdi> <b>{count.toLocaleString('en')}</b>
    </span>
  );
}

interface BucketNoteProps {
  readonly bucket: Bucket;
  readonly data: Histogram;
  /** Horizontal position of the bucket, from 0 to 1. */
  readonly share: number;
}

function BucketNote({ bucket, data: { series, spanMs }, share }: BucketNoteProps): JSX.Element {
  const { timeZone } = search.value;
  const side = share > 0.6 ? { right: `${100 * (1 - share)}%` } : { left: `${100 * share}%` };
  return (
    <div class="bucket-note small" style={side}>
      <span class="dim">
        {fullTime(bucket.start, timeZone)} · {duration(spanMs)}
      </span>
      {series.map((name, place) => {
        const count = bucket.counts.get(name) ?? 0;
        return count > 0 && seriesCount(name, place, count);
      })}
      {bucket.total === 0 && <span>no records</span>}
    </div>
  );
}

/** Marks at round times of the clock. */
function TimeAxis({ data: { buckets, spanMs } }: { data: Histogram }): JSX.Element {
  const { timeZone } = search.value;
  const { start } = buckets[0]!;
  const total = buckets.length * spanMs;
  const step = Math.max(spanMs, bucketSpan(start, start + total, MAX_MARKS));
  const offset = zoneOffset(start, timeZone);
  const first = Math.ceil((start + offset) / step) * step - offset;
  const marks = Array.from({ length: MAX_MARKS }, (_, index) => first + index * step);
  return (
    <div class="time-axis dim" aria-hidden="true">
      {marks
        .map((time) => [time, (time - start) / total] as const)
        .filter(([, share]) => share < LAST_MARK)
        .map(([time, share]) => (
          <span key={time} style={{ left: `${100 * share}%` }}>
            {axisTime(time, step, total, timeZone)}
          </span>
        ))}
    </div>
  );
}
