import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../../errors.ts';
import { backoffDelay } from '../../internal/backoff.ts';
import { delay } from '../../internal/delay.ts';

export const BACKOFF = { minDelayMs: 500, maxDelayMs: 15_000 };

export interface Patience {
  readonly signal: AbortSignal;
  /** How long to retry, in milliseconds. */
  readonly retryTimeoutMs: number;
  /** Whether a request has succeeded before. If not, a failed connection is probably a wrong address. */
  readonly hasWorked: boolean;
  /** Called before each delay. */
  readonly onWait: (delayMs: number, error: Error) => void;
}

/** Retries a call while it fails for a transient reason: a busy service, a lost connection. */
export async function patientCall(call: () => Promise<unknown>, patience: Patience): Promise<void> {
  const since = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      await call();
      return;
    } catch (error) {
      const asked = error instanceof LogHTTPException ? error.retryAfterMs : undefined;
      const delayMs = asked ?? backoffDelay(attempt, BACKOFF);
      const isLate = performance.now() - since + delayMs > patience.retryTimeoutMs;
      if (isLate || !passes(error, patience.hasWorked)) throw error;
      patience.onWait(delayMs, error as Error);
      await delay(delayMs, patience.signal);
    }
  }
}

function passes(error: unknown, hasWorked: boolean): boolean {
  if (error instanceof LogHTTPException) {
    const { statusCode } = error;
    return statusCode === 408 || statusCode === 429 || (statusCode >= 500 && statusCode !== 501);
  }
  return hasWorked && (error instanceof LogConnectionException || error instanceof LogTimeoutException);
}

/** Whether the service may have rejected only some of the lines. */
export function isAboutLines(error: unknown): error is LogHTTPException {
  return error instanceof LogHTTPException && [400, 413, 422].includes(error.statusCode);
}
