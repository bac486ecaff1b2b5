import { retryDelayMs } from '../web/retry-delay.ts';

/** How long to wait before trying again, in milliseconds: as the service says, or longer with each attempt. */
export function reconnectDelayMs(attempt: number, error: unknown): number {
  return retryDelayMs(attempt, error, { minDelayMs: 500, maxDelayMs: 15_000 });
}
