import type { Clock, Timer } from '../../core/clock.ts';
import { onAbort } from '../../core/on-abort.ts';
import type { EncodedBatch } from '../batch/encoded-batch.ts';
import type { HttpSender } from './http-sender.ts';
import { attemptLimitMs, type Delay, delayBeforeDeadlineMs } from './retry-backoff.ts';
import type { SendOutcome } from './sender.ts';

/** Makes the best of the time until a deadline: limits attempts and the pauses between them. */
export class TimedSender {
  readonly #target: Pick<HttpSender, 'send'>;
  readonly #clock: Clock;
  /** Epoch milliseconds. */
  #deadline: number | undefined;
  /** Applies a new deadline to the attempts and pauses in progress. */
  readonly #onDeadline = new Set<() => void>();

  constructor(target: Pick<HttpSender, 'send'>, clock: Clock) {
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
    return { ...outcome, dependsOn: 'size', reason };
  }

  /** Waits before the next attempt, less if the deadline is near. */
  async pause({ requestedMs, ownMs }: Delay, signal: AbortSignal): Promise<void> {
    if (requestedMs + ownMs === 0) return;
    const requestedUntil = this.#clock.now() + requestedMs;
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const start = (ownLeftMs: number): Timer => {
      const now = this.#clock.now();
      const left = { requestedMs: requestedUntil - now, ownMs: ownLeftMs };
      const isHurried = this.#deadline !== undefined;
      const delayMs = isHurried ? delayBeforeDeadlineMs(left, this.#deadline! - now) : requestedMs + ownMs;
      return this.#clock.startTimer(delayMs, end);
    };
    let timer = start(ownMs);
    const shorten = (): void => {
      if (this.#deadline === undefined) return;
      timer.cancel();
      timer = start(0);
    };
    this.#onDeadline.add(shorten);
    const unlink = onAbort(signal, end);
    await ended;
    timer.cancel();
    unlink();
    this.#onDeadline.delete(shorten);
  }
}
