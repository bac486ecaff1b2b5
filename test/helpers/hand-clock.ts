import { onTestFinished, vi } from 'vitest';
import { type Clock, systemClock, type Timer } from '../../src/core/clock.ts';
import { MAX_TIMER_MS } from '../../src/core/timer-limit.ts';

/** A clock that only {@link move} advances. */
export class HandClock implements Clock {
  #now: number;
  readonly #timers = new Set<{ at: number; callback: () => void }>();

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Warns of delays that Node turns into 1 ms, which fails the test; see `process-warnings.ts`. */
  startTimer(delayMs: number, callback: () => void): Timer {
    if (!(delayMs >= 0 && delayMs <= MAX_TIMER_MS)) {
      process.emitWarning(`A timer must not run for ${delayMs} ms.`, 'TimeoutWarning');
    }
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#timers.size;
  }

  move(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers]) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
      timer.callback();
    }
  }
}

/** Replaces the system clock of the ingester until the test ends. */
export function useHandClock(): HandClock {
  const clock = new HandClock(Date.now());
  const spies = [
    vi.spyOn(systemClock, 'now').mockImplementation(() => clock.now()),
    vi.spyOn(systemClock, 'startTimer').mockImplementation((...timer) => clock.startTimer(...timer)),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return clock;
}

/** Lets a request of this process reach a server in this process, if one was sent. */
export async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}
