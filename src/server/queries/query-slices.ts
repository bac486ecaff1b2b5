import {
  type EventSource,
  endEvent,
  type Plan,
  type RunContext,
  type Sink,
  startEvent,
  type TakeEvent,
} from '../../engine/index.ts';
import { runSlices, SLICE_MS } from '../event-loop.ts';
import type { EventRange } from '../store/event-store.ts';
import { type QueryLimits, QueryTimeoutError } from './query-limits.ts';

/** Maximum number of events between two checks of the clock. */
const MAX_EVENTS_PER_STEP = 256;
/** A step that takes longer is followed by a shorter one. */
const STEP_MS = 0.25;

/**
 * Passes events to a query in time slices, and yields the number of events so far after each. Only time spent here
 * counts.
 *
 * @throws QueryTimeoutError after `timeoutMs`.
 */
export function* querySlices(
  ranges: readonly EventRange[],
  sink: Sink,
  limits: QueryLimits,
): Generator<number, number> {
  const scan = new TableScan(ranges, sink);
  for (const _ of slicesOf(() => scan.step(), limits)) yield scan.eventsDone;
  return scan.eventsDone;
}

/** Passes events to a sink in small steps. */
export function* scanTables(ranges: readonly EventRange[], sink: Sink): Generator<void> {
  const scan = new TableScan(ranges, sink);
  while (scan.step()) yield;
}

/** Passes events in steps of about equal time, because reading the clock costs as much as many events. */
class TableScan {
  readonly #ranges: readonly EventRange[];
  readonly #sink: Sink;
  #range = 0;
  #place: number;
  #take: TakeEvent | undefined;
  #isOpen = false;
  #eventsPerStep = 1;
  #eventsDone = 0;

  constructor(ranges: readonly EventRange[], sink: Sink) {
    this.#ranges = ranges;
    this.#sink = sink;
    this.#place = ranges[0]?.start ?? 0;
  }

  get eventsDone(): number {
    return this.#eventsDone;
  }

  /** @returns whether there are more events. */
  step(): boolean {
    const range = this.#ranges[this.#range];
    if (range === undefined) return false;
    const { events, end } = range;
    if (!this.#isOpen) {
      this.#take = this.#sink.from(events);
      this.#isOpen = true;
    }
    if (this.#take === undefined) this.#skipTo(end);
    else this.#handOver(this.#take, Math.min(end, this.#place + this.#eventsPerStep));
    if (this.#place >= end) this.#next();
    return true;
  }

  #handOver(take: TakeEvent, end: number): void {
    const start = performance.now();
    let place = this.#place;
    let isLong = false;
    try {
      while (place < end && !isLong) {
        startEvent();
        take(place++);
        isLong = endEvent();
      }
    } finally {
      endEvent();
    }
    this.#skipTo(place);
    const isFast = !isLong && performance.now() - start < STEP_MS;
    this.#eventsPerStep = isFast ? Math.min(MAX_EVENTS_PER_STEP, this.#eventsPerStep * 2) : 1;
  }

  #skipTo(end: number): void {
    this.#eventsDone += end - this.#place;
    this.#place = end;
  }

  #next(): void {
    this.#range++;
    this.#place = this.#ranges[this.#range]?.start ?? 0;
    this.#isOpen = false;
  }
}

/**
 * Runs a generator in time slices.
 *
 * @returns its result.
 * @throws QueryTimeoutError like {@link querySlices}.
 */
export function* workSlices<Result>(
  work: Iterator<void, Result>,
  limits: QueryLimits,
): Generator<void, Result> {
  let result: Result | undefined;
  const advance = (): boolean => {
    startEvent();
    try {
      const next = work.next();
      if (next.done === true) result = next.value;
      return next.done !== true;
    } finally {
      endEvent();
    }
  };
  yield* slicesOf(advance, limits);
  return result as Result;
}

export interface PreparationOptions {
  readonly plan: Plan;
  readonly context: RunContext;
  readonly source: EventSource;
  readonly limits: QueryLimits;
  /** Whether no caller is waiting for the result anymore. */
  readonly isStopped: () => boolean;
}

/**
 * Runs the subqueries of a query.
 *
 * @returns the context to open the run with; `undefined` if it was stopped
 * @throws QueryTimeoutError as {@link querySlices} does
 */
export function preparedContext(options: PreparationOptions): Promise<RunContext | undefined> {
  const { plan, context, source, limits, isStopped } = options;
  return runSlices(workSlices(plan.prepare(context, source), limits), isStopped);
}

/** `advance` does a small piece of the work, and returns whether there may be more. */
function* slicesOf(advance: () => boolean, limits: QueryLimits): Generator<void> {
  const { spent = { ms: 0 }, timeoutMs, share } = limits;
  const slice = (): boolean => {
    const start = performance.now();
    try {
      while (advance()) if (performance.now() - start >= SLICE_MS) return true;
      return false;
    } finally {
      spent.ms += performance.now() - start;
    }
  };
  while (slice()) {
    if (spent.ms > timeoutMs) throw new QueryTimeoutError(timeoutMs);
    share.check();
    yield;
  }
}
