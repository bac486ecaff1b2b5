import {
  cpuTime,
  type EventSource,
  endEvent,
  type Plan,
  type RunContext,
  type Sink,
  startEvent,
  type TakeEvent,
} from '../../engine/index.ts';
import { SLICE_MS } from '../event-loop.ts';
import type { EventRange } from '../store/event-store.ts';
import type { QueryShare } from './query-admission.ts';
import type { QueryRequest, QueryWindow } from './query-request.ts';

/** Maximum number of events between two checks of the clock. */
const MAX_EVENTS_PER_STEP = 256;
/** A step that takes longer is followed by a shorter one. */
const STEP_MS = 0.25;

/**
 * Passes events to a query in time slices, and yields the number of events so far after each. Only time spent here
 * counts.
 *
 * @throws what {@link QueryShare.check} throws.
 */
export function* querySlices(
  ranges: readonly EventRange[],
  sink: Sink,
  share: QueryShare,
): Generator<number, number> {
  const scan = new TableScan(ranges, sink);
  for (const _ of slicesOf(() => scan.step(), share)) yield scan.eventsDone;
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
 * @throws like {@link querySlices}.
 */
export function* workSlices<Result>(
  work: Iterator<void, Result>,
  share: QueryShare,
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
  yield* slicesOf(advance, share);
  return result as Result;
}

/** A run of a query. */
export interface QueryRun {
  readonly request: QueryRequest;
  /** Default: that of the request. */
  readonly plan?: Plan;
  readonly window: QueryWindow;
  readonly now: number;
  /** The events of subqueries. */
  readonly source: EventSource;
  readonly share: QueryShare;
}

/**
 * Runs the subqueries of a query.
 *
 * @returns the context to open the run with; `undefined` if it was stopped
 * @throws like {@link querySlices}
 */
export function preparedContext(run: QueryRun): Promise<RunContext | undefined> {
  const { request, plan = request.plan, window, now, source, share } = run;
  const { start, end } = window;
  const context: RunContext = { start, end, now, timeZone: request.timeZone, limits: share.limits };
  return runSlices(workSlices(plan.prepare(context, source), share), share);
}

/** Runs the slices of a query. @returns `undefined` if it was closed */
export async function runSlices<Result>(
  slices: Iterator<unknown, Result>,
  share: QueryShare,
): Promise<Result | undefined> {
  for (;;) {
    const next = slices.next();
    if (next.done === true) return next.value;
    await share.turn();
    if (share.isClosed) return undefined;
  }
}

/** `advance` does a small piece of the work, and returns whether there may be more. */
function* slicesOf(advance: () => boolean, share: Pick<QueryShare, 'spentMs' | 'check'>): Generator<void> {
  const slice = (): boolean => {
    const [start, cpuStart] = [performance.now(), cpuTime()];
    try {
      while (advance()) if (performance.now() - start >= SLICE_MS) return true;
      return false;
    } finally {
      // CPU time includes that of other threads, and wall time that of other processes.
      share.spentMs += Math.min(performance.now() - start, cpuTime() - cpuStart);
    }
  };
  while (slice()) {
    share.check();
    yield;
  }
}
