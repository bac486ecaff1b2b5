/**
 * The clock of a local server. It follows the system clock until a test stops or moves it. Everything that depends on
 * time uses it: arrival times of events, `now` in queries, the expiry of query jobs.
 */
export class ServerClock {
  /** Where the clock was stopped, epoch milliseconds; `undefined` while it runs. */
  #stoppedAt: number | undefined;
  #offsetMs = 0;

  constructor(stoppedAt?: number) {
    this.#stoppedAt = stoppedAt;
  }

  /** Returns the server's time in epoch milliseconds. */
  now(): number {
    return this.#stoppedAt ?? Date.now() + this.#offsetMs;
  }

  /** Stops the clock at `epochMs`. Only {@link advance} moves it from then on. */
  set(epochMs: number): void {
    this.#stoppedAt = requireMilliseconds('set', epochMs);
  }

  /** Moves the clock forward. A running clock keeps running, ahead of the system clock by this time. */
  advance(durationMs: number): void {
    requireMilliseconds('advance', durationMs);
    if (this.#stoppedAt === undefined) this.#offsetMs += durationMs;
    else this.#stoppedAt += durationMs;
  }

  /** Returns to the system clock. */
  resume(): void {
    this.#stoppedAt = undefined;
    this.#offsetMs = 0;
  }
}

function requireMilliseconds(method: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw new RangeError(`clock.${method}() expects a whole number of milliseconds (got ${value}).`);
}
