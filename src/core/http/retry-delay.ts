import { type BackoffOptions, backoffDelay } from '../backoff.ts';
import { LogHTTPException } from '../errors.ts';
import { LONGEST_RETRY_AFTER_MS } from './retry-after.ts';

/**
 * The delay before a retry, in milliseconds: as requested by the service, or growing with each failure.
 *
 * @param failures number of earlier failures.
 */
export function retryDelayMs(failures: number, error: unknown, backoff: BackoffOptions): number {
  const requestedMs = error instanceof LogHTTPException ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(Math.min(requestedMs, LONGEST_RETRY_AFTER_MS), backoffDelay(failures, backoff));
}
