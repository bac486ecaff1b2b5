import { LogHTTPException } from '../errors.ts';
import { backoffDelay } from '../internal/backoff.ts';

/** How long to wait before trying again, in milliseconds: as the service says, or longer with each attempt. */
export function reconnectDelayMs(attempt: number, error: unknown): number {
  const askedMs = error instanceof LogHTTPException ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(askedMs, backoffDelay(attempt, { minDelayMs: 500, maxDelayMs: 15_000 }));
}
