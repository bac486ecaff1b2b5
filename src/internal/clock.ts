/** A timer that never keeps the process alive. */
export interface Timer {
  cancel(): void;
}

/** Where time comes from. Tests put a clock here that they move by hand. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `callback` once after `delayMs`; the process may end before that. */
  startTimer(delayMs: number, callback: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  startTimer(delayMs, callback) {
    const handle = setTimeout(callback, delayMs);
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Whether it is less than `durationMs` since then. A clock that was set back must not make anybody wait. */
export function isWithin(durationMs: number, sinceMs: number, nowMs: number): boolean {
  return nowMs >= sinceMs && nowMs - sinceMs < durationMs;
}
