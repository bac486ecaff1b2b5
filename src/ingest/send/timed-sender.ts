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
    let limitMs = 0;
    const startLimit = (): number | undefined => {
      if (this.#deadline === undefined) return undefined;
      limitMs = attemptLimitMs(this.#deadline - this.#clock.now());
      return limitMs;
    };
    const sending = this.#target.send(batch, attempt.signal);
    const outcome = await this.#timed(sending, startLimit, () => attempt.abort(), signal);
    const tookLong = attempt.signal.aborted && !signal.aborted;
    if (!tookLong || outcome.kind !== 'retryable') return outcome;
    const reason = `no response within ${Math.round(limitMs)} ms (closeTimeoutMs)`;
    return { ...outcome, dependsOn: 'size', reason };
  }

  /** Waits before the next attempt, less if the deadline is near. A new deadline ends what the service did not ask for. */
  async pause({ requestedMs, ownMs }: Delay, signal: AbortSignal): Promise<void> {
    if (requestedMs + ownMs === 0) return;
    const requestedUntil = this.#clock.now() + requestedMs;
    let ownLeftMs = ownMs;
    const leftMs = (): number => {
      const now = this.#clock.now();
      const left = { requestedMs: requestedUntil - now, ownMs: ownLeftMs };
      ownLeftMs = 0;
      if (this.#deadline === undefined) return left.requestedMs + left.ownMs;
      return delayBeforeDeadlineMs(left, this.#deadline - now);
    };
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    await this.#timed(ended, leftMs, end, signal);
  }

  /** Waits for `work`, and calls `stop` when the signal aborts or the time is up, which each new deadline starts again. */
  async #timed<Result>(
    work: Promise<Result>,
    leftMs: () => number | undefined,
    stop: () => void,
    signal: AbortSignal,
  ): Promise<Result> {
    let timer: Timer | undefined;
    const start = (): void => {
      timer?.cancel();
      const ms = leftMs();
      timer = ms === undefined ? undefined : this.#clock.startTimer(ms, stop);
    };
    start();
    this.#onDeadline.add(start);
    const unlink = onAbort(signal, stop);
    const result = await work;
    unlink();
    this.#onDeadline.delete(start);
    timer?.cancel();
    return result;
  }
}
