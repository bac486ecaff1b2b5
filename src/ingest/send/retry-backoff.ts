import { backoffDelay } from '../../core/backoff.ts';
import { LONGEST_RETRY_AFTER_MS } from '../../core/http/retry-after.ts';
import type { RetryableOutcome } from './sender.ts';

/** Upper limit of delays before a deadline that the service did not ask for. */
const DELAY_BEFORE_DEADLINE_MS = 500;

/** With less time, an attempt has little chance. */
export const MIN_ATTEMPT_MS = 250;

/** Time for one attempt: half of the time that is left, because the service may never respond to it. */
export function attemptLimitMs(leftMs: number): number {
  return Math.max(MIN_ATTEMPT_MS, leftMs / 2);
}

/** The pause before the next request, in milliseconds: what the service asked for, and in addition to that. */
export interface Delay {
  readonly requestedMs: number;
  readonly ownMs: number;
}

export const NO_DELAY: Delay = { requestedMs: 0, ownMs: 0 };

/** The pause that the service asked for, if it ends before the deadline. */
export function delayBeforeDeadlineMs({ requestedMs, ownMs }: Delay, leftMs: number): number {
  if (requestedMs >= leftMs) return DELAY_BEFORE_DEADLINE_MS;
  return Math.max(requestedMs, Math.min(ownMs, DELAY_BEFORE_DEADLINE_MS));
}

export interface RetryBackoffOptions {
  /** Upper limit of the first delay, in milliseconds; doubles with each attempt. */
  readonly minRetryDelayMs: number;
  /** Upper limit of delays that the service did not ask for, and the delay while a fix is needed. */
  readonly maxRetryDelayMs: number;
  /** A source of numbers in [0, 1). @default Math.random */
  readonly random?: (() => number) | undefined;
}

/** A failure counts as much as four responses, so under a steady limit about four of five requests succeed. */
const RESPONSE_WEIGHT = 0.25;

/**
 * Retry delays that keep many clients below twice a service's rate limit without coordination.
 *
 * Delays have full jitter, with a bound that doubles with each attempt. After a 429, the bound also depends on earlier
 * batches. Other failures don't mean that requests are too frequent, so each batch starts over.
 */
export class RetryBackoff {
  readonly #options: RetryBackoffOptions;
  /** Failed attempts across batches, less {@link RESPONSE_WEIGHT} per response. */
  #pressure = 0;

  constructor(options: RetryBackoffOptions) {
    this.#options = options;
  }

  /** The service accepted or rejected a batch. */
  responded(): void {
    this.#pressure = Math.max(0, this.#pressure - RESPONSE_WEIGHT);
  }

  /**
   * @param attempt 1 for the first attempt to send a batch.
   * @returns the delay that the service requested, plus a random one, so that clients don't retry at the same time.
   */
  failed({ isRateLimited, retryAfterMs = 0 }: RetryableOutcome, attempt: number): Delay {
    const { minRetryDelayMs, maxRetryDelayMs, random } = this.#options;
    const boundMs = minRetryDelayMs * 2 ** (isRateLimited ? this.#pressure : attempt - 1);
    this.#pressure = Math.min(this.#pressure + 1, Math.log2(maxRetryDelayMs / minRetryDelayMs));
    const requestedMs = Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);
    const firstBoundMs = Math.max(boundMs, requestedMs);
    return { requestedMs, ownMs: backoffDelay(0, { firstBoundMs, maxDelayMs: maxRetryDelayMs, random }) };
  }
}
