import { backoffDelay } from '../../internal/backoff.ts';
import type { Clock } from '../../internal/clock.ts';
import type { EncodedBatch } from '../batch/encoded-batch.ts';
import { RetryBackoff, type RetryBackoffOptions } from './retry-backoff.ts';
import type { RetryableOutcome, Sender, SendOptions, SendOutcome } from './sender.ts';

export interface RetryingSenderOptions extends RetryBackoffOptions {
  readonly clock: Clock;
  /** Told of every failed attempt, `attempt` counting from 1. */
  readonly onRetry: (outcome: RetryableOutcome, attempt: number) => void;
}

/** While closing, waits are short: there is little time left. */
const HURRIED_DELAY_MS = 500;

/** To find one bad record among a million takes 20. */
const REFUSALS_AT_FULL_SPEED = 32;

interface Wait {
  /** When the service said it may be asked again, in epoch milliseconds; the past when it said nothing. */
  readonly askedUntil: number;
  /** Lets the wait end `delayMs` from now. */
  endIn(delayMs: number): void;
}

/**
 * Sends a batch again until the outcome is final. Returns a retryable outcome only when the signal aborts, or when it
 * is in a hurry and another attempt has no prospect.
 */
export class RetryingSender implements Sender {
  readonly #target: Sender;
  readonly #options: RetryingSenderOptions;
  readonly #backoff: RetryBackoff;
  /** When everything must be over, in epoch milliseconds; set by {@link hurry}. */
  #deadline: number | undefined;
  readonly #waits = new Set<Wait>();
  /** Batches that were rejected since one was delivered. */
  #refusalsInARow = 0;

  constructor(target: Sender, options: RetryingSenderOptions) {
    this.#target = target;
    this.#options = options;
    this.#backoff = new RetryBackoff(options);
  }

  async send(batch: EncodedBatch, options: SendOptions): Promise<SendOutcome> {
    await this.#slowDownRefusals(options.signal);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#target.send(batch, options);
      if (outcome.kind === 'delivered') this.#refusalsInARow = 0;
      if (outcome.kind === 'rejected') this.#refusalsInARow++;
      if (outcome.kind !== 'retryable') this.#backoff.responded();
      if (outcome.kind !== 'retryable' || options.signal.aborted) return outcome;
      this.#options.onRetry(outcome, attempt);
      // Nobody mends a token in the last seconds of a program.
      if (outcome.needsAttention && this.#deadline !== undefined) return outcome;
      await this.#pause(outcome, attempt, options.signal);
      if (options.signal.aborted) return outcome;
    }
  }

  /**
   * Makes the best of the time until `deadline` (epoch milliseconds): from now on waits are short, the present ones
   * included. Only a wait that the service asked for is kept, where it fits in. Without a deadline the hurry is over.
   */
  hurry(deadline: number | undefined): void {
    this.#deadline = deadline;
    if (deadline === undefined) return;
    for (const wait of this.#waits) wait.endIn(this.#hurriedDelayMs(wait.askedUntil, 0));
  }

  /** A service that refuses everything shall not be asked for one record after the other at full speed. */
  #slowDownRefusals(signal: AbortSignal): Promise<void> {
    const attempt = this.#refusalsInARow - REFUSALS_AT_FULL_SPEED;
    if (attempt < 0) return Promise.resolve();
    const { minRetryDelayMs, maxRetryDelayMs, clock } = this.#options;
    const ownMs = backoffDelay(attempt, { minDelayMs: minRetryDelayMs, maxDelayMs: maxRetryDelayMs });
    const delayMs = this.#deadline === undefined ? ownMs : Math.min(ownMs, HURRIED_DELAY_MS);
    return this.#sleep(delayMs, clock.now(), signal);
  }

  #pause(outcome: RetryableOutcome, attempt: number, signal: AbortSignal): Promise<void> {
    const { maxRetryDelayMs, clock } = this.#options;
    const { askedMs, extraMs } = this.#backoff.failed(outcome, attempt);
    const ownMs = outcome.needsAttention ? maxRetryDelayMs : extraMs;
    const askedUntil = clock.now() + askedMs;
    if (this.#deadline === undefined) return this.#sleep(askedMs + ownMs, askedUntil, signal);
    return this.#sleep(
      this.#hurriedDelayMs(askedUntil, Math.min(ownMs, HURRIED_DELAY_MS)),
      askedUntil,
      signal,
    );
  }

  #hurriedDelayMs(askedUntil: number, ownMs: number): number {
    const askedMs = askedUntil - this.#options.clock.now();
    const fitsIn = askedUntil < (this.#deadline ?? Number.POSITIVE_INFINITY);
    return fitsIn ? Math.max(askedMs, ownMs) : HURRIED_DELAY_MS;
  }

  #sleep(delayMs: number, askedUntil: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        signal.removeEventListener('abort', end);
        this.#waits.delete(wait);
        resolve();
      };
      const wait: Wait = {
        askedUntil,
        endIn(sooner) {
          timer.cancel();
          timer = clock.startTimer(Math.max(0, sooner), end);
        },
      };
      let timer = clock.startTimer(delayMs, end);
      signal.addEventListener('abort', end, { once: true });
      this.#waits.add(wait);
    });
  }
}
