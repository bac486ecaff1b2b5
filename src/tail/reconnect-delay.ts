import { LogHTTPException } from '../errors.ts';
import { backoffDelay } from '../internal/backoff.ts';
import { LONGEST_RETRY_AFTER_MS } from '../web/retry-after.ts';

/** How long to wait before trying again, in milliseconds: as the service says, or longer with each attempt. */
export function reconnectDelayMs(attempt: number, error: unknown): number {
  const saidMs = error instanceof LogHTTPException ? (error.retryAfterMs ?? 0) : 0;
  const askedMs = Math.min(saidMs, LONGEST_RETRY_AFTER_MS);
  return Math.max(askedMs, backoffDelay(attempt, { minDelayMs: 500, maxDelayMs: 15_000 }));
}
