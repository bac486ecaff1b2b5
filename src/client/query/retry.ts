import { delay } from '../../core/delay.ts';
import { LogHTTPException, LogTimeoutException } from '../../core/errors.ts';
import { retryDelayMs } from '../../core/http/retry-delay.ts';
import { isTransient } from '../../core/http/transient.ts';

export interface RetryOptions {
  /** Maximum number of retries. */
  readonly maxRetries: number;
  /** Maximum delay before a retry, in milliseconds, even if the service requests a longer one. */
  readonly maxWaitMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called with each failure that is retried, before the delay. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
}

const BACKOFF = { firstBoundMs: 250, maxDelayMs: 4_000 };

/**
 * Makes an idempotent call, and retries failures that may be transient: a lost connection, a proxy whose backend
 * restarts, a busy gateway. The delay is the one that the service requests; otherwise, it doubles from at most 250 ms
 * to 4 s.
 */
export async function retry<T>(
  call: () => Promise<T>,
  { maxRetries, maxWaitMs, signal, onRetry }: RetryOptions,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await call();
    } catch (error) {
      if (failures === maxRetries || !isWorthRetrying(error)) throw error;
      onRetry?.(error);
      await delay(Math.min(retryDelayMs(failures, error, BACKOFF), maxWaitMs), signal);
    }
  }
}

/** Excludes 500, which means that the service failed to run the query, and limits of the caller. */
function isWorthRetrying(error: unknown): boolean {
  if (error instanceof LogTimeoutException) return false;
  if (error instanceof LogHTTPException && error.statusCode === 500) return false;
  return isTransient(error);
}
