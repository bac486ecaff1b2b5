import { backoffDelay } from '../../core/backoff.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import { onAbort } from '../../core/on-abort.ts';
import type { EncodedBatch } from '../batch/encoded-batch.ts';
import type { Refusals } from '../refusals.ts';
import {
  attemptLimitMs,
  DELAY_BEFORE_DEADLINE_MS,
  RetryBackoff,
  type RetryBackoffOptions,
} from './retry-backoff.ts';
import type { RetryableOutcome, Sender, SendOptions, SendOutcome } from './sender.ts';

export interface RetryingSenderOptions extends RetryBackoffOptions {
  readonly clock: Clock;
  readonly refusals: Refusals;
  /** Called with each failed attempt; `attempt` counts from 1. */
  readonly onRetry: (outcome: RetryableOutcome, attempt: number) => void;
}

/** Isolating one bad record among a million takes 20 rejections. */
const REJECTIONS_AT_FULL_SPEED = 32;

/** Retries until the outcome is final, the signal aborts, or time is up. After a refusal, waits and leaves it to the caller. */
export class RetryingSender implements Sender {
  readonly #target: Sender;
  readonly #options: RetryingSenderOptions;
  readonly #backoff: RetryBackoff;
  /** Epoch milliseconds. */
  #deadline: number | undefined;
  /** Applies a new deadline to the attempts and delays in progress. */
  readonly #onDeadline = new Set<() => void>();
  #rejectionsInARow = 0;

  constructor(target: Sender, options: RetryingSenderOptions) {
    this.#target = target;
    this.#options = options;
    this.#backoff = new RetryBackoff(options);
  }

  async send(batch: EncodedBatch, options: SendOptions): Promise<SendOutcome> {
    const { refusals, onRetry } = this.#options;
    await this.#slowDownRejections(options.signal);
    for (let attempt = 1; ; attempt++) {
      const outcome = refusals.judge(await this.#attempt(batch, options.signal), options.isLone);
      if (outcome.kind === 'delivered') this.#rejectionsInARow = 0;
      if (outcome.kind === 'rejected') this.#rejectionsInARow++;
      const isFinal = outcome.kind === 'delivered' || outcome.kind === 'rejected';
      if (isFinal) this.#backoff.responded();
      if (isFinal || options.signal.aborted) return outcome;
      const failures = outcome.kind === 'refused' ? refusals.inARow : attempt;
      // Before a deadline, only the final failure is worth a warning.
      if (this.#deadline === undefined) onRetry(outcome, failures);
      else onRetry({ ...outcome, tookLong: false }, 1);
      // No one fixes a token in the last seconds of a program.
      if (outcome.needsAttention && this.#deadline !== undefined) return outcome;
      await this.#pause(outcome, failures, options.signal);
      if (outcome.kind === 'refused' || options.signal.aborted) return outcome;
    }
  }

  /**
   * Makes the best of the time until `deadline` (epoch milliseconds): each attempt gets at most half of the remaining
   * time, and delays are short, including those that have started. `undefined` removes the limits.
   */
  setDeadline(deadline: number | undefined): void {
    this.#deadline = deadline;
    this.#options.refusals.isHurried = deadline !== undefined;
    for (const apply of this.#onDeadline) apply();
  }

  async #attempt(batch: EncodedBatch, signal: AbortSignal): Promise<SendOutcome> {
    const { clock } = this.#options;
    const attempt = new AbortController();
    const stop = (): void => attempt.abort();
    let limitMs = 0;
    let timer: Timer | undefined;
    const limit = (): void => {
      timer?.cancel();
      if (this.#deadline === undefined) return;
      limitMs = attemptLimitMs(this.#deadline - clock.now());
      timer = clock.startTimer(limitMs, stop);
    };
    limit();
    this.#onDeadline.add(limit);
    const unlink = onAbort(signal, stop);
    const outcome = await this.#target.send(batch, { signal: attempt.signal });
    unlink();
    this.#onDeadline.delete(limit);
    timer?.cancel();
    const tookLong = attempt.signal.aborted && !signal.aborted;
    if (!tookLong || outcome.kind !== 'retryable') return outcome;
    return { ...outcome, reason: `no response within ${Math.round(limitMs)} ms (closeTimeoutMs)`, tookLong };
  }

  /** Keeps a service that rejects everything from getting one record after the other at full speed. */
  #slowDownRejections(signal: AbortSignal): Promise<void> {
    const attempt = this.#rejectionsInARow - REJECTIONS_AT_FULL_SPEED;
    if (attempt < 0) return Promise.resolve();
    const { minRetryDelayMs: firstBoundMs, maxRetryDelayMs: maxDelayMs, random, clock } = this.#options;
    const ownMs = backoffDelay(attempt, { firstBoundMs, maxDelayMs, random });
    const delayMs = this.#deadline === undefined ? ownMs : Math.min(ownMs, DELAY_BEFORE_DEADLINE_MS);
    return this.#sleep(delayMs, clock.now(), signal);
  }

  #pause(outcome: RetryableOutcome, attempt: number, signal: AbortSignal): Promise<void> {
    const { maxRetryDelayMs, clock, refusals } = this.#options;
    // A service that has accepted nothing, or refuses different records, probably refuses everything.
    const isRefusing = outcome.kind === 'retryable' || refusals.acceptedAt === 0 || refusals.includeOthers;
    const { requestedMs, extraMs } = this.#backoff.failed(outcome, attempt);
    const ownMs = outcome.needsAttention && isRefusing ? maxRetryDelayMs : extraMs;
    const requestedUntil = clock.now() + requestedMs;
    if (this.#deadline === undefined) return this.#sleep(requestedMs + ownMs, requestedUntil, signal);
    const delayMs = this.#delayBeforeDeadline(requestedUntil, Math.min(ownMs, DELAY_BEFORE_DEADLINE_MS));
    return this.#sleep(delayMs, requestedUntil, signal);
  }

  /** The delay that the service asked for, if it ends before the deadline. */
  #delayBeforeDeadline(requestedUntil: number, ownMs: number): number {
    const requestedMs = requestedUntil - this.#options.clock.now();
    const fits = requestedUntil < (this.#deadline ?? Number.POSITIVE_INFINITY);
    return fits ? Math.max(requestedMs, ownMs) : DELAY_BEFORE_DEADLINE_MS;
  }

  /** @param requestedUntil earliest time at which the service wants the next request, in epoch milliseconds. */
  #sleep(delayMs: number, requestedUntil: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        unlink();
        this.#onDeadline.delete(shorten);
        resolve();
      };
      const shorten = (): void => {
        if (this.#deadline === undefined) return;
        timer.cancel();
        timer = clock.startTimer(Math.max(0, this.#delayBeforeDeadline(requestedUntil, 0)), end);
      };
      let timer = clock.startTimer(delayMs, end);
      let unlink = (): void => {};
      this.#onDeadline.add(shorten);
      unlink = onAbort(signal, end);
    });
  }
}
