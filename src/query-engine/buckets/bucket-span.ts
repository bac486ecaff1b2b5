import type { RunScope } from '../run/run-context.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The spans to choose from, and how many buckets the choice may give. */
const AUTO_SPANS_MS = [
  ...[1, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  DAY_MS,
  7 * DAY_MS,
];
const AUTO_BUCKETS = 100;

/** More buckets than this are not shown: the span is made longer. */
export const MAX_BUCKETS = 1500;

export interface SpanOptions {
  /** Milliseconds; `undefined` for "auto". */
  readonly spanMs: number | undefined;
  /** Divides the interval instead. */
  readonly buckets: number | undefined;
  readonly minSpanMs: number;
}

/** How long the buckets of a run are, in milliseconds. */
export function chooseSpan({ spanMs, buckets, minSpanMs }: SpanOptions, run: RunScope): number {
  const intervalMs = Math.max(1, run.end - run.start);
  const wanted =
    buckets === undefined ? (spanMs ?? autoSpan(intervalMs)) : Math.max(1, Math.ceil(intervalMs / buckets));
  const span = Math.max(wanted, minSpanMs);
  if (intervalMs / span <= MAX_BUCKETS) return span;
  const longer = span * Math.ceil(intervalMs / span / MAX_BUCKETS);
  run.warn(
    `A span of ${humanizeSpan(span)} gives more than ${MAX_BUCKETS} buckets; the result has one of ${humanizeSpan(longer)}.`,
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
  ['second', SECOND_MS],
  ['millisecond', 1],
];

/** `3 seconds`, `1 hour` */
export function humanizeSpan(spanMs: number): string {
  const [unit, unitMs] = UNITS.find(([, length]) => spanMs % length === 0) ?? ['millisecond', 1];
  const count = spanMs / unitMs;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
