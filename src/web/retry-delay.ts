import { LogHTTPException } from '../errors.ts';
import { type BackoffOptions, backoffDelay } from '../internal/backoff.ts';
import { LONGEST_RETRY_AFTER_MS } from './retry-after.ts';

/**
 * How long to wait before a call is made again, in milliseconds: as the service says, or longer with each failure.
 *
 * @param failures how often it has failed before, counting from 0.
 */
export function retryDelayMs(failures: number, error: unknown, backoff: BackoffOptions): number {
  const saidMs = error instanceof LogHTTPException ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(Math.min(saidMs, LONGEST_RETRY_AFTER_MS), backoffDelay(failures, backoff));
}
