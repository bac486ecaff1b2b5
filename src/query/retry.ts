import { LogHTTPException, LogTimeoutException } from '../errors.ts';
import { delay } from '../internal/delay.ts';
import { retryDelayMs } from '../web/retry-delay.ts';
import { isTransient } from '../web/transient.ts';

export interface RetryOptions {
  /** How often to make the call again; then its failure is passed on. */
  readonly maxRepeats: number;
  /** The longest wait before a repetition, in milliseconds, whatever the service asks for. */
  readonly maxWaitMs: number;
  readonly signal: AbortSignal | undefined;
  /** Hears of each failure that is made good, before the wait. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
}

const BACKOFF = { minDelayMs: 250, maxDelayMs: 4_000 };

/**
 * Makes a call that changes nothing when it is made twice, and makes it again when it fails for a reason that may have
 * passed a little later: a lost connection, a proxy whose backend restarts, a gateway that is busy. The wait before that
 * is the one that the service asks for, or doubles from 250 ms at most to 4 s.
 */
export async function retry<T>(
  call: () => Promise<T>,
  { maxRepeats, maxWaitMs, signal, onRetry }: RetryOptions,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await call();
    } catch (error) {
      if (failures === maxRepeats || !isPassing(error)) throw error;
      onRetry?.(error);
      await delay(Math.min(retryDelayMs(failures, error, BACKOFF), maxWaitMs), signal);
    }
  }
}

/** Not a 500, which is the service's own failure to run the query, and not a limit of the caller's. */
function isPassing(error: unknown): boolean {
  if (error instanceof LogTimeoutException) return false;
  if (error instanceof LogHTTPException && error.statusCode === 500) return false;
  return isTransient(error);
}
