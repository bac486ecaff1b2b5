import type { Stretch } from './event-store.ts';
import type { StoredEvent } from './stored-event.ts';

/** How long a query computes before others get their turn. */
const SLICE_MS = 5;
/** How many events pass between two looks at the clock. */
const CHECK_EVERY = 16;

/** A query has computed for longer than it may. */
export class QueryTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`The query was cancelled: it computed for longer than ${timeoutMs} ms, the limit of this server.`);
    this.name = 'QueryTimeoutError';
  }
}

/**
 * Hands events to `push` until a slice of time is used up, then yields how many it has handed over so far; the caller
 * goes on when it likes. Only time that is spent in here counts.
 *
 * @throws QueryTimeoutError when that is more than `timeoutMs`.
 */
export function* querySlices(
  stretches: readonly Stretch[],
  push: (event: StoredEvent) => void,
  timeoutMs: number,
): Generator<number, number> {
  let pushed = 0;
  let spentMs = 0;
  let sliceStart = performance.now();
  for (const { events, start, end } of stretches) {
    for (let index = start; index < end; index++) {
      push(events[index]!);
      if (++pushed % CHECK_EVERY !== 0) continue;
      const sliceMs = performance.now() - sliceStart;
      if (sliceMs < SLICE_MS) continue;
      spentMs += sliceMs;
      if (spentMs > timeoutMs) throw new QueryTimeoutError(timeoutMs);
      yield pushed;
      sliceStart = performance.now();
    }
  }
  return pushed;
}
