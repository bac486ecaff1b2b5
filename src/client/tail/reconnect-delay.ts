import { retryDelayMs } from '../../core/http/retry.ts';

/** The delay before the next attempt, in milliseconds: as requested by the service, or growing with each attempt. */
export function reconnectDelayMs(attempt: number, error: unknown): number {
  return retryDelayMs(attempt, error, { firstBoundMs: 500, maxDelayMs: 15_000 });
}

/** After a connection that lasted this long, or a job that has shown a complete result, failures are counted from zero. */
export const STABLE_AFTER_MS = 10_000;
