import type { Plan } from '../../query-engine/index.ts';
import { CHECK_EVERY, SLICE_MS } from '../event-loop.ts';
import type { Stretch } from '../store/event-store.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { isOverTime, runWithin } from './time-limit.ts';

/** A slice that takes this long is stuck in a regular expression, and everybody else with it. */
const STUCK_MS = 2000;

/** A query has computed for longer than it may. */
export class QueryTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`The query was cancelled: it computed for longer than ${timeoutMs} ms, the limit of this server.`);
    this.name = 'QueryTimeoutError';
  }
}

/** A query has spent far too long on a few events. */
class QueryStuckError extends QueryTimeoutError {
  constructor(limitMs: number) {
    super(limitMs);
    this.message = `The query was cancelled: a regular expression took longer than ${limitMs} ms for a few events. Look for a repetition inside a repetition, such as (a+)+.`;
  }
}

export interface QueryLimits {
  readonly plan: Pick<Plan, 'hasRegex'>;
  /** How long the query may compute altogether. */
  readonly timeoutMs: number;
}

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
  let spentMs = 0;
  const events = eventsOf(stretches);
  const slice = (): boolean => {
    const start = performance.now();
    for (let next = events.next(); next.done !== true; next = events.next()) {
      push(next.value);
      if (++pushed % CHECK_EVERY !== 0) continue;
      const sliceMs = performance.now() - start;
      if (sliceMs < SLICE_MS) continue;
      spentMs += sliceMs;
      return true;
    }
    return false;
  };
  while (computeWithin(limits, STUCK_MS, slice)) {
    if (spentMs > limits.timeoutMs) throw new QueryTimeoutError(limits.timeoutMs);
    yield pushed;
  }
  return pushed;
}

/** Computes what can't be cut into slices: the rows of a result. @throws QueryTimeoutError when the query is stuck. */
export function queryRows<Result>(limits: QueryLimits, compute: () => Result): Result {
  return computeWithin(limits, limits.timeoutMs, compute);
}

/** Only regular expressions can get stuck, and the watch has its price. */
function computeWithin<Result>(limits: QueryLimits, limitMs: number, compute: () => Result): Result {
  if (!limits.plan.hasRegex) return compute();
  const stuckMs = Math.min(limitMs, limits.timeoutMs);
  try {
    return runWithin(stuckMs, compute);
  } catch (error) {
    throw isOverTime(error) ? new QueryStuckError(stuckMs) : error;
  }
}

function* eventsOf(stretches: readonly Stretch[]): Generator<StoredEvent> {
  for (const { events, start, end } of stretches) {
    for (let index = start; index < end; index++) yield events[index]!;
  }
}
