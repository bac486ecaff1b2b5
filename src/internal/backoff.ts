export interface BackoffOptions {
  /** The upper bound of the first wait, in milliseconds. */
  minDelayMs: number;
  /** The upper bound of every wait, in milliseconds. */
  maxDelayMs: number;
  /** A source of numbers in [0, 1); tests put their own here. */
  random?: (() => number) | undefined;
}

/**
 * Exponential backoff with full jitter: a uniformly random wait below a bound that doubles with each attempt.
 *
 * @param attempt 0 for the wait after the first failure.
 * @returns milliseconds to wait.
 */
export function backoffDelay(
  attempt: number,
  { minDelayMs, maxDelayMs, random = Math.random }: BackoffOptions,
): number {
  const bound = Math.min(maxDelayMs, minDelayMs * 2 ** Math.min(attempt, 30));
  return Math.floor(random() * bound);
}
