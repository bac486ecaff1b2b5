import { backoffDelay } from '../../internal/backoff.ts';
import type { Clock, Timer } from '../../internal/clock.ts';
import type { EncodedBatch } from '../batch/encoded-batch.ts';
import {
  attemptLimitMs,
  DELAY_BEFORE_DEADLINE_MS,
  RetryBackoff,
  type RetryBackoffOptions,
} from './retry-backoff.ts';
import type { RetryableOutcome, Sender, SendOptions, SendOutcome } from './sender.ts';

export interface RetryingSenderOptions extends RetryBackoffOptions {
  readonly clock: Clock;
  /** Called with each failed attempt; `attempt` counts from 1. */
  readonly onRetry: (outcome: RetryableOutcome, attempt: number) => void;
}

/** Isolating one bad record among a million takes 20 rejections. */
const REJECTIONS_AT_FULL_SPEED = 32;

interface Wait {
  /** Earliest time at which the service wants the next request, in epoch milliseconds. */
  readonly askedUntil: number;
  /** Ends the wait `delayMs` from now. */
  endIn(delayMs: number): void;
}

/** An attempt in flight, which a deadline can limit. */
class Attempt {
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #timer: Timer | undefined;
  /** Set when the attempt was stopped for lack of time. */
  limitMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  readonly stop = (): void => this.#stop.abort();

  limitBy(deadline: number | undefined): void {
    this.#timer?.cancel();
    if (deadline === undefined) return;
    const limitMs = attemptLimitMs(deadline - this.#clock.now());
    this.#timer = this.#clock.startTimer(limitMs, () => {
      this.limitMs = Math.round(limitMs);
      this.stop();
    });
  }

  end(): void {
    this.#timer?.cancel();
  }
}

/**
 * Sends a batch again until the outcome is final. Returns a retryable outcome only if the signal aborts, or if a
 * deadline leaves no chance for another attempt.
 */
export class RetryingSender implements Sender {
  readonly #target: Sender;
  readonly #options: RetryingSenderOptions;
  readonly #backoff: RetryBackoff;
  /** Epoch milliseconds. */
  #deadline: number | undefined;
  readonly #attempts = new Set<Attempt>();
  readonly #waits = new Set<Wait>();
  #rejectionsInARow = 0;

  constructor(target: Sender, options: RetryingSenderOptions) {
    this.#target = target;
    this.#options = options;
    this.#backoff = new RetryBackoff(options);
  }

  async send(batch: EncodedBatch, options: SendOptions): Promise<SendOutcome> {
    await this.#slowDownRejections(options.signal);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(batch, options.signal);
      if (outcome.kind === 'delivered') this.#rejectionsInARow = 0;
      if (outcome.kind === 'rejected') this.#rejectionsInARow++;
      if (outcome.kind !== 'retryable') this.#backoff.responded();
      if (outcome.kind !== 'retryable' || options.signal.aborted) return outcome;
      this.#report(outcome, attempt);
      // No one fixes a token in the last seconds of a program.
      if (outcome.needsAttention && this.#deadline !== undefined) return outcome;
      await this.#pause(outcome, attempt, options.signal);
      if (options.signal.aborted) return outcome;
    }
  }

  /**
   * Makes the best of the time until `deadline` (epoch milliseconds): each attempt gets at most half of the remaining
   * time, and delays are short, including those that have started. `undefined` removes the limits.
   */
  setDeadline(deadline: number | undefined): void {
    this.#deadline = deadline;
    for (const attempt of this.#attempts) attempt.limitBy(deadline);
    if (deadline === undefined) return;
    for (const wait of this.#waits) wait.endIn(this.#delayBeforeDeadline(wait.askedUntil, 0));
  }

  async #attempt(batch: EncodedBatch, signal: AbortSignal): Promise<SendOutcome> {
    const attempt = new Attempt(this.#options.clock);
    attempt.limitBy(this.#deadline);
    this.#attempts.add(attempt);
    signal.addEventListener('abort', attempt.stop, { once: true });
    if (signal.aborted) attempt.stop();
    const outcome = await this.#target.send(batch, { signal: attempt.signal });
    signal.removeEventListener('abort', attempt.stop);
    this.#attempts.delete(attempt);
    attempt.end();
    if (attempt.limitMs === undefined || outcome.kind !== 'retryable') return outcome;
    return { ...outcome, reason: `no response within ${attempt.limitMs} ms`, tookLong: true };
  }

  /** Before a deadline, only the final failure is worth a warning. */
  #report(outcome: RetryableOutcome, attempt: number): void {
    if (this.#deadline === undefined) this.#options.onRetry(outcome, attempt);
    else this.#options.onRetry({ ...outcome, tookLong: false }, 1);
  }

  /** Keeps a service that rejects everything from getting one record after the other at full speed. */
  #slowDownRejections(signal: AbortSignal): Promise<void> {
    const attempt = this.#rejectionsInARow - REJECTIONS_AT_FULL_SPEED;
    if (attempt < 0) return Promise.resolve();
    const { minRetryDelayMs, maxRetryDelayMs, clock } = this.#options;
    const ownMs = backoffDelay(attempt, { minDelayMs: minRetryDelayMs, maxDelayMs: maxRetryDelayMs });
    const delayMs = this.#deadline === undefined ? ownMs : Math.min(ownMs, DELAY_BEFORE_DEADLINE_MS);
    return this.#sleep(delayMs, clock.now(), signal);
  }

  #pause(outcome: RetryableOutcome, attempt: number, signal: AbortSignal): Promise<void> {
    const { maxRetryDelayMs, clock } = this.#options;
    const { askedMs, extraMs } = this.#backoff.failed(outcome, attempt);
    const ownMs = outcome.needsAttention ? maxRetryDelayMs : extraMs;
    const askedUntil = clock.now() + askedMs;
    if (this.#deadline === undefined) return this.#sleep(askedMs + ownMs, askedUntil, signal);
    return this.#sleep(
      this.#delayBeforeDeadline(askedUntil, Math.min(ownMs, DELAY_BEFORE_DEADLINE_MS)),
      askedUntil,
      signal,
    );
  }

  /** The delay that the service asked for, if it ends before the deadline. */
  #delayBeforeDeadline(askedUntil: number, ownMs: number): number {
    const askedMs = askedUntil - this.#options.clock.now();
    const fits = askedUntil < (this.#deadline ?? Number.POSITIVE_INFINITY);
    return fits ? Math.max(askedMs, ownMs) : DELAY_BEFORE_DEADLINE_MS;
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
