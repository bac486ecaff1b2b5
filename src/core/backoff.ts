export interface BackoffOptions {
  /** Upper bound of the first delay, in milliseconds. */
  firstBoundMs: number;
  /** Upper bound of every delay, in milliseconds. */
  maxDelayMs: number;
  /** Source of numbers in [0, 1), for tests. */
  random?: (() => number) | undefined;
}

/**
 * Exponential backoff with full jitter: a uniformly random delay below a bound that doubles with each attempt.
 *
 * @param attempt 0 for the delay after the first failure.
 * @returns milliseconds.
 */
export function backoffDelay(
  attempt: number,
  { firstBoundMs, maxDelayMs, random = Math.random }: BackoffOptions,
): number {
  const bound = Math.min(maxDelayMs, firstBoundMs * 2 ** Math.min(attempt, 30));
  return Math.floor(random() * bound);
}
