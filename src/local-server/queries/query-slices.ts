import { getHeapStatistics } from 'node:v8';
import { SLICE_MS } from '../event-loop.ts';
import type { Stretch } from '../store/event-store.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { isOverTime, runWithin } from '../time-limit.ts';
import { HeapFullError, type QueryLimits, QueryStuckError, QueryTimeoutError } from './query-limits.ts';

/** How much of the memory that the process may have is in use when queries end. */
const MAX_HEAP_SHARE = 0.9;
/** A slice that takes this long is stuck in a regular expression, and everybody else with it. */
const STUCK_MS = 1000;

/**
 * Hands events to `push` until a slice of time is used up, then yields how many it has handed over so far; the caller
 * goes on when it likes. Only time that is spent in here counts.
 *
 * @throws QueryTimeoutError when that is more than `timeoutMs`, or when the query is stuck.
 */
export function* querySlices(
  stretches: readonly Stretch[],
  push: (event: StoredEvent) => void,
  limits: QueryLimits,
): Generator<number, number> {
  let pushed = 0;
  const events = eventsOf(stretches);
  const advance = (): boolean => {
    const next = events.next();
    if (next.done === true) return false;
    push(next.value);
    pushed++;
    return true;
  };
  for (const _ of slicesOf(advance, limits)) yield pushed;
  return pushed;
}

/**
 * Goes on with work that comes in small pieces until a slice of time is used up, then yields.
 *
 * @returns what the work returns.
 * @throws QueryTimeoutError as {@link querySlices} does.
 */
export function* workSlices<Result>(
  work: Iterator<void, Result>,
  limits: QueryLimits,
): Generator<void, Result> {
  let result: Result | undefined;
  const advance = (): boolean => {
    const next = work.next();
    if (next.done === true) result = next.value;
    return next.done !== true;
  };
  yield* slicesOf(advance, limits);
  return result as Result;
}

/** `advance` does a small piece of the work, and says whether there may be more. */
function* slicesOf(advance: () => boolean, limits: QueryLimits): Generator<void> {
  const { spent = { ms: 0 }, timeoutMs } = limits;
  const slice = (): boolean => {
    const start = performance.now();
    try {
      while (advance()) if (performance.now() - start >= SLICE_MS) return true;
      return false;
    } finally {
      spent.ms += performance.now() - start;
    }
  };
  while (computeWithin(limits, STUCK_MS, slice)) {
    if (spent.ms > timeoutMs) throw new QueryTimeoutError(timeoutMs);
    if (isHeapFull()) throw new HeapFullError();
    yield;
  }
}

/** The last resort, for what no function accounts for. */
function isHeapFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > MAX_HEAP_SHARE * limit;
}

/** A slice that is only slow, because the machine is busy, is not stuck. */
const SLOW_SLICE_MS = 100;

/** Regular expressions are not alone in what they can make of one event that is large enough. */
function computeWithin<Result>(limits: QueryLimits, limitMs: number, compute: () => Result): Result {
  const stuckMs = Math.min(limitMs, Math.max(limits.timeoutMs, SLOW_SLICE_MS));
  try {
    return runWithin(stuckMs, compute);
  } catch (error) {
    if (!isOverTime(error)) throw error;
    // What was stopped has not counted its time itself.
    if (limits.spent !== undefined) limits.spent.ms += stuckMs;
    throw new QueryStuckError(stuckMs);
  }
}

function* eventsOf(stretches: readonly Stretch[]): Generator<StoredEvent> {
  for (const { events, start, end } of stretches) {
    for (let index = start; index < end; index++) yield events[index]!;
  }
}
