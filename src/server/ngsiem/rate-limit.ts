import type { ServerClock } from '../clock.ts';
import { FalconError } from './falcon-error.ts';

const WINDOW_MS = 60_000;

/** A maximum number of requests within any 60 seconds. */
export class RateLimit {
  readonly #limit: number;
  readonly #clock: ServerClock;
  /** Arrival times of the requests in the window, epoch milliseconds, oldest first. */
  readonly #arrivals: number[] = [];

  constructor(limit: number, clock: ServerClock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Headers with the limit and the remaining requests. */
  get headers(): Record<string, string> {
    return {
      'x-ratelimit-limit': String(this.#limit),
      'x-ratelimit-remaining': String(this.#limit - this.#arrivals.length),
    };
  }

  /** Counts a request. @throws FalconError 429 if the limit is used up */
  count(): void {
    const now = this.#clock.now();
    while (this.#arrivals[0] !== undefined && this.#arrivals[0] <= now - WINDOW_MS) this.#arrivals.shift();
    if (this.#arrivals.length < this.#limit) {
      this.#arrivals.push(now);
      return;
    }
    const retryAfter = Math.ceil((this.#arrivals[0]! + WINDOW_MS) / 1000);
    throw new FalconError(429, 'API rate limit exceeded.', {
      headers: { ...this.headers, 'x-ratelimit-retryafter': String(retryAfter) },
    });
  }
}
