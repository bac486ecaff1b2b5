import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../../errors.ts';
import { backoffDelay } from '../../internal/backoff.ts';
import { delay } from '../../internal/delay.ts';

export const BACKOFF = { minDelayMs: 500, maxDelayMs: 15_000 };

export interface Patience {
  readonly signal: AbortSignal;
  /** How long to try. */
  readonly patienceMs: number;
  /** Whether the service has been reached before: a first contact that fails is more likely a mistake. */
  readonly hasWorked: boolean;
  /** Told before a wait. */
  readonly onWait: (delayMs: number, error: Error) => void;
}

/** Makes a call again that failed for a reason that passes: a busy service, a lost connection. */
export async function patientCall(call: () => Promise<unknown>, patience: Patience): Promise<void> {
  const since = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      await call();
      return;
    } catch (error) {
      const asked = error instanceof LogHTTPException ? error.retryAfterMs : undefined;
      const delayMs = asked ?? backoffDelay(attempt, BACKOFF);
      const isLate = performance.now() - since + delayMs > patience.patienceMs;
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

/** Whether an answer may be about some of the lines, and others would be taken. */
export function isAboutLines(error: unknown): error is LogHTTPException {
  return error instanceof LogHTTPException && [400, 413, 422].includes(error.statusCode);
}
