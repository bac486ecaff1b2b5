/** A timer that never keeps the process alive. */
export interface Timer {
  cancel(): void;
}

/** A source of time, which tests replace. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `callback` once after `delayMs`, unless the process exits first. */
  startTimer(delayMs: number, callback: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  startTimer(delayMs, callback) {
    const handle = unrefTimer(setTimeout(callback, delayMs));
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Lets the process exit. In jest-environment-jsdom, which ends its timers with the test file, a timer is a number. */
export function unrefTimer<Timer>(timer: Timer): Timer {
  (timer as { unref?(): void }).unref?.();
  return timer;
}

/** Whether less than `durationMs` have passed since then. False if the clock was set back, so that no caller waits too long. */
export function isWithin(durationMs: number, sinceMs: number, nowMs: number): boolean {
  return nowMs >= sinceMs && nowMs - sinceMs < durationMs;
}
