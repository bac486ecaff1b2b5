import type { ServerClock } from '../clock.ts';
import { FalconError } from './falcon-error.ts';

const WINDOW_MS = 60_000;

/** A maximum number of requests within any 60 seconds. */
export function rateLimit(limit: number, clock: ServerClock) {
  /** Arrival times of the requests in the window, epoch milliseconds, oldest first. */
  const arrivals: number[] = [];
  /** Headers with the limit and the remaining requests. */
  const headers = (): Record<string, string> => ({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(limit - arrivals.length),
  });
  /** Counts a request. @throws FalconError 429 if the limit is used up */
  const count = (): void => {
    const now = clock.now();
    while (arrivals[0] !== undefined && arrivals[0] <= now - WINDOW_MS) arrivals.shift();
    if (arrivals.length < limit) return void arrivals.push(now);
    const retryAfter = Math.ceil((arrivals[0]! + WINDOW_MS) / 1000);
    throw new FalconError(429, 'API rate limit exceeded.', {
      headers: { ...headers(), 'x-ratelimit-retryafter': String(retryAfter) },
    });
  };
  return { headers, count };
}
