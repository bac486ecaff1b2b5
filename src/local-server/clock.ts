/**
 * The time of a local server. It follows the computer's clock until a test takes it in hand; everything that depends
 * on time (arrival of events, `now` in queries, the expiry of jobs) asks this one clock.
 */
export class ServerClock {
  /** Where the clock was stopped, epoch milliseconds; `undefined` while it runs. */
  #stoppedAt: number | undefined;
  #offsetMs = 0;

  constructor(stoppedAt?: number) {
    this.#stoppedAt = stoppedAt;
  }

  /** The server's time in epoch milliseconds. */
  now(): number {
    return this.#stoppedAt ?? Date.now() + this.#offsetMs;
  }

  /** Stops the clock at `epochMs`; from here only {@link advance} moves it. */
  set(epochMs: number): void {
    this.#stoppedAt = requireMilliseconds('set', epochMs);
  }

  /** Moves the clock forward. A running clock keeps running, that much ahead of the computer's. */
  advance(durationMs: number): void {
    requireMilliseconds('advance', durationMs);
    if (this.#stoppedAt === undefined) this.#offsetMs += durationMs;
    else this.#stoppedAt += durationMs;
  }

  /** Goes back to the computer's clock. */
  resume(): void {
    this.#stoppedAt = undefined;
    this.#offsetMs = 0;
  }
}

function requireMilliseconds(method: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw new RangeError(`clock.${method}() takes a whole number of milliseconds, not ${value}.`);
}
