import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/epoch.ts';
import type { RunScope } from '../run/run-context.ts';
import type { CalendarSpan } from '../time/calendar-span.ts';

/** The spans that "auto" chooses from, and the number of buckets it aims for. */
const AUTO_SPANS_MS = [
  ...[1, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  DAY_MS,
  7 * DAY_MS,
];
const AUTO_BUCKETS = 100;

/** Maximum number of buckets; a longer span is used beyond it. */
export const MAX_BUCKETS = 1500;

/** Length of a bucket: milliseconds, or a calendar unit. */
export type Span = number | CalendarSpan;

export function lengthOfSpan(span: Span): number {
  return typeof span === 'number' ? span : span.lengthMs;
}

export interface SpanOptions {
  /** `undefined` for "auto". */
  readonly span: Span | undefined;
  /** Divides the interval into this many buckets instead. */
  readonly buckets: number | undefined;
  readonly minSpanMs: number;
}

/** The span of a run's buckets. */
export function chooseSpan({ span: given, buckets, minSpanMs }: SpanOptions, run: RunScope): Span {
  const intervalMs = Math.max(1, run.end - run.start);
  const requested =
    buckets === undefined ? (given ?? autoSpan(intervalMs)) : Math.max(1, Math.ceil(intervalMs / buckets));
  const span = lengthOfSpan(requested) < minSpanMs ? minSpanMs : requested;
  const count = intervalMs / lengthOfSpan(span);
  if (count <= MAX_BUCKETS) return span;
  const factor = Math.ceil(count / MAX_BUCKETS);
  const longer =
    typeof span === 'number'
      ? span * factor
      : { ...span, count: span.count * factor, lengthMs: span.lengthMs * factor };
  run.warn(
    `A span of ${humanizeSpan(span)} gives more than ${MAX_BUCKETS} buckets; the result uses ${humanizeSpan(longer)}.`,
  );
  return longer;
}

function autoSpan(intervalMs: number): number {
  const weekMs = 7 * DAY_MS;
  return (
    AUTO_SPANS_MS.find((spanMs) => intervalMs / spanMs <= AUTO_BUCKETS) ??
    weekMs * Math.ceil(intervalMs / weekMs / AUTO_BUCKETS)
  );
}

const UNITS: readonly (readonly [string, number])[] = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', 1000],
  ['millisecond', 1],
];

/** `3 seconds`, `1 hour` */
export function humanizeSpan(span: Span): string {
  if (typeof span !== 'number') return plural(span.count, span.unit);
  const [unit, unitMs] = UNITS.find(([, length]) => span % length === 0) ?? ['millisecond', 1];
  return plural(span / unitMs, unit);
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
