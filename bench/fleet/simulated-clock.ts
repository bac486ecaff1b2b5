import type { Clock, Timer } from '../../src/core/clock.ts';

class SimulatedTimer implements Timer {
  callback: (() => void) | undefined;

  constructor(callback: () => void) {
    this.callback = callback;
  }

  cancel(): void {
    this.callback = undefined;
  }
}

/** A discrete-event clock: time advances to the next millisecond once all promises of this one have settled. */
export class SimulatedClock implements Clock {
  #now = 0;
  readonly #timers = new Map<number, SimulatedTimer[]>();

  now(): number {
    return this.#now;
  }

  startTimer(delayMs: number, callback: () => void): Timer {
    const timer = new SimulatedTimer(callback);
    const at = this.#now + Math.max(0, Math.ceil(delayMs));
    const others = this.#timers.get(at);
    if (others === undefined) this.#timers.set(at, [timer]);
    else others.push(timer);
    return timer;
  }

  async runUntil(endMs: number): Promise<void> {
    await settled();
    while (this.#now < endMs) {
      this.#now++;
      for (let due = this.#takeDue(); due !== undefined; due = this.#takeDue()) {
        for (const timer of due) timer.callback?.();
        await settled();
      }
    }
  }

  #takeDue(): SimulatedTimer[] | undefined {
    const due = this.#timers.get(this.#now);
    this.#timers.delete(this.#now);
    return due;
  }
}

/** Runs every promise callback that is ready. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
