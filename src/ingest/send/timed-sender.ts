import type { Clock, Timer } from '../../core/clock.ts';
import { onAbort } from '../../core/on-abort.ts';
import type { EncodedBatch } from '../batch/encoded-batch.ts';
import { attemptLimitMs, DELAY_BEFORE_DEADLINE_MS, type Delay } from './retry-backoff.ts';
import type { Sender, SendOutcome } from './sender.ts';

/** Makes the best of the time until a deadline: limits attempts and the pauses between them. */
export class TimedSender implements Sender {
  readonly #target: Sender;
  readonly #clock: Clock;
  /** Epoch milliseconds. */
  #deadline: number | undefined;
  /** Applies a new deadline to the attempts and pauses in progress. */
  readonly #onDeadline = new Set<() => void>();

  constructor(target: Sender, clock: Clock) {
    this.#target = target;
    this.#clock = clock;
  }

  /**
   * Until `deadline` (epoch milliseconds), each attempt gets at most half of the remaining time, and pauses are short,
   * including those that have started. `undefined` removes the limits.
   */
  setDeadline(deadline: number | undefined): void {
    this.#deadline = deadline;
    for (const apply of this.#onDeadline) apply();
  }

  async send(batch: EncodedBatch, signal: AbortSignal): Promise<SendOutcome> {
    const attempt = new AbortController();
    const stop = (): void => attempt.abort();
    let limitMs = 0;
    let timer: Timer | undefined;
    const limit = (): void => {
      timer?.cancel();
      if (this.#deadline === undefined) return;
      limitMs = attemptLimitMs(this.#deadline - this.#clock.now());
      timer = this.#clock.startTimer(limitMs, stop);
    };
    limit();
    this.#onDeadline.add(limit);
    const unlink = onAbort(signal, stop);
    const outcome = await this.#target.send(batch, attempt.signal);
    unlink();
    this.#onDeadline.delete(limit);
    timer?.cancel();
    const tookLong = attempt.signal.aborted && !signal.aborted;
    if (!tookLong || outcome.kind !== 'retryable') return outcome;
    const reason = `no response within ${Math.round(limitMs)} ms (closeTimeoutMs)`;
    return { ...outcome, dependsOn: 'size', reason, tookLong };
  }

  /** Waits before the next attempt, less if the deadline is near. */
  async pause({ requestedMs, ownMs }: Delay, signal: AbortSignal): Promise<void> {
    if (requestedMs + ownMs === 0) return;
    const requestedUntil = this.#clock.now() + requestedMs;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        timer.cancel();
        unlink();
        this.#onDeadline.delete(shorten);
        resolve();
      };
      const shorten = (): void => {
        if (this.#deadline === undefined) return;
        timer.cancel();
        timer = this.#clock.startTimer(this.#delayBeforeDeadline(requestedUntil, 0), end);
      };
      const isHurried = this.#deadline !== undefined;
      const delayMs = isHurried ? this.#delayBeforeDeadline(requestedUntil, ownMs) : requestedMs + ownMs;
      let timer = this.#clock.startTimer(delayMs, end);
      let unlink = (): void => {};
      this.#onDeadline.add(shorten);
      unlink = onAbort(signal, end);
    });
  }

  /** The pause that the service asked for, if it ends before the deadline. */
  #delayBeforeDeadline(requestedUntil: number, ownMs: number): number {
    const fits = requestedUntil < (this.#deadline ?? Number.POSITIVE_INFINITY);
    if (!fits) return DELAY_BEFORE_DEADLINE_MS;
    return Math.max(0, requestedUntil - this.#clock.now(), Math.min(ownMs, DELAY_BEFORE_DEADLINE_MS));
  }
}
