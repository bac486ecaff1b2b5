import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../../errors.ts';
import { backoffDelay } from '../../internal/backoff.ts';
import { delay } from '../../internal/delay.ts';

const MAX_ATTEMPTS = 8;
const BACKOFF = { minDelayMs: 500, maxDelayMs: 15_000 };

export interface Patience {
  readonly signal: AbortSignal;
  /** Whether the service has been reached before: a first contact that fails is more likely a mistake. */
  readonly hasWorked: boolean;
  /** Told before a wait. */
  readonly onWait: (delayMs: number, error: Error) => void;
}

/** Makes a call again that failed for a reason that passes: a busy service, a lost connection. */
export async function patientCall(call: () => Promise<unknown>, patience: Patience): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await call();
      return;
    } catch (error) {
      if (!passes(error, patience.hasWorked) || attempt + 1 >= MAX_ATTEMPTS) throw error;
      const asked = error instanceof LogHTTPException ? error.retryAfterMs : undefined;
      const delayMs = asked ?? backoffDelay(attempt, BACKOFF);
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
