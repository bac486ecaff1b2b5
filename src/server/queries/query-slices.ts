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
import type { SearchDomain } from '../search-domain.ts';
import type { EventRange } from '../store/event-store.ts';
import type { QueryShare } from './query-admission.ts';
import type { Interval, QueryRequest } from './query-request.ts';

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
  const scan = scanTables(ranges, sink);
  let events = 0;
  const advance = (): boolean => {
    const next = scan.next();
    events = next.value;
    return next.done !== true;
  };
  for (const _ of slicesOf(advance, share)) yield events;
  return events;
}

/**
 * Passes events to a sink, and yields the number of events so far after each step. Steps need about the same time, because
 * reading the clock costs as much as many events.
 */
export function* scanTables(ranges: readonly EventRange[], sink: Sink): Generator<number, number> {
  let eventsDone = 0;
  let eventsPerStep = 1;
  for (const { events, start, end } of ranges) {
    const take = sink.from(events);
    for (let place = start; place < end; yield eventsDone) {
      const from = place;
      if (take === undefined) place = end;
      else {
        const startMs = performance.now();
        const step = takeUntilLong(take, place, Math.min(end, place + eventsPerStep));
        const isFast = !step.isLong && performance.now() - startMs < STEP_MS;
        eventsPerStep = isFast ? Math.min(MAX_EVENTS_PER_STEP, eventsPerStep * 2) : 1;
        place = step.end;
      }
      eventsDone += place - from;
    }
  }
  return eventsDone;
}

/** Takes events up to the first with long values. */
function takeUntilLong(take: TakeEvent, start: number, end: number): { end: number; isLong: boolean } {
  let place = start;
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
  return { end: place, isLong };
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

/** A query on a repository or view, and what it may use. */
export interface QueryRun {
  readonly repository: SearchDomain;
  readonly request: QueryRequest;
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
export function preparedContext(
  { request, source, share }: QueryRun,
  { start, end }: Interval,
  now: number,
  plan: Plan = request.plan,
): Promise<RunContext | undefined> {
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
