/**
 * The clock of a local server. It follows the system clock until a test stops or moves it. Everything that depends on
 * time uses it: arrival times of events, `now` in queries, the expiry of query jobs.
 */
export interface ServerClock {
  /** Returns the server's time in epoch milliseconds. */
  now(): number;
  /** Stops the clock at `epochMs`. Only {@link advance} moves it from then on. */
  set(epochMs: number): void;
  /** Moves the clock forward. A running clock keeps running, ahead of the system clock by this time. */
  advance(durationMs: number): void;
  /** Returns to the system clock. */
  resume(): void;
}

/** @param stoppedAt where it is stopped, epoch milliseconds; `undefined` to let it run. */
export function createClock(stoppedAt?: number): ServerClock {
  let stopped = stoppedAt;
  let offsetMs = 0;
  return {
    now: () => stopped ?? Date.now() + offsetMs,
    set(epochMs) {
      stopped = requireMilliseconds('set', epochMs);
    },
    advance(durationMs) {
      requireMilliseconds('advance', durationMs);
      if (stopped === undefined) offsetMs += durationMs;
      else stopped += durationMs;
    },
    resume() {
      stopped = undefined;
      offsetMs = 0;
    },
  };
}

function requireMilliseconds(method: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw new RangeError(`clock.${method}() expects a whole number of milliseconds (got ${value}).`);
}
