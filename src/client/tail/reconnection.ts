import { delay } from '../../core/delay.ts';
import { LogQueryJobCancelledException, LogQueryJobExpiredException } from '../../core/errors.ts';
import { retryDelayMs } from '../../core/http/retry.ts';
import type { LiveQueryOptions } from './live-query-options.ts';

/** After a connection that lasted this long, or a job that has shown a complete result, failures are counted from zero. */
export const STABLE_AFTER_MS = 10_000;

/** Whether a query job no longer exists: it expired, was deleted or canceled, or the service has restarted. */
export function isJobGone(error: unknown): boolean {
  return error instanceof LogQueryJobExpiredException || error instanceof LogQueryJobCancelledException;
}

/** The delay before the next attempt, in milliseconds: as requested by the service, or growing with each attempt. */
export function reconnectDelayMs(attempt: number, error: unknown): number {
  return retryDelayMs(attempt, error, { firstBoundMs: 500, maxDelayMs: 15_000 });
}

/** The waits between attempts at a live query. */
export class Reconnection {
  #failures = 0;
  /** Number of jobs that the service has lost. */
  losses = 0;

  /** Call it when the query works, to count from zero. */
  succeed(): void {
    this.#failures = this.losses = 0;
  }

  /** Waits after a failure. A service that says that a job is gone works: the first one is replaced immediately. */
  async wait(error: unknown, { signal, onReconnect }: LiveQueryOptions): Promise<void> {
    const isGone = isJobGone(error);
    const count = isGone ? this.losses++ : this.#failures++;
    const delayMs = isGone && count === 0 ? 0 : reconnectDelayMs(count, error);
    onReconnect?.({ attempt: this.#failures + this.losses, delayMs, error });
    if (delayMs > 0) await delay(delayMs, signal);
  }
}
