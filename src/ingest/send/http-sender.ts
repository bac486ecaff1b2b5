import type { Timer } from '../../core/clock.ts';
import { receiveBody } from '../../core/http/received-body.ts';
import { onAbort } from '../../core/on-abort.ts';
import type { EncodedBatch } from '../batch/encoded-batch.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import type { World } from '../world.ts';
import { isReset } from './classify-error.ts';
import { attemptLimitMs, type Delay, delayBeforeDeadlineMs } from './retry-backoff.ts';
import type { Call, Reply, SendOutcome } from './sender.ts';
import type { ServiceCheck } from './service-check.ts';

/** Sends batches to the ingest API, and makes the best of the time until a deadline. */
export class HttpSender {
  readonly #caller: ReturnType<World['openCaller']>;
  readonly #check: ServiceCheck;
  readonly #clock: World['clock'];
  /** True if a kept connection may have been closed by the service meanwhile. */
  #mayBeStale = false;
  /** Epoch milliseconds. */
  #deadline: number | undefined;
  /** Applies a new deadline to the attempts and pauses in progress. */
  readonly #onDeadline = new Set<() => void>();

  constructor({ options, check, world }: Pick<DeliveryContext, 'options' | 'check' | 'world'>) {
    this.#check = check;
    this.#clock = world.clock;
    const { baseUrl, ...connection } = options.connection;
    this.#caller = world.openCaller(baseUrl, {
      ...connection,
      timeoutMs: options.requestTimeoutMs,
      maxRetries: 0,
      secrets: [options.token],
      redactText: check.redactText,
      background: true,
      followed: check.followed,
    });
  }

  /**
   * Until `deadline` (epoch milliseconds), each attempt gets at most half of the remaining time, and pauses are short,
   * including those that have started. `undefined` removes the limits.
   */
  setDeadline(deadline: number | undefined): void {
    this.#deadline = deadline;
    for (const apply of this.#onDeadline) apply();
  }

  /** Makes one attempt. */
  async send(batch: EncodedBatch, signal: AbortSignal): Promise<SendOutcome> {
    const attempt = new AbortController();
    let limitMs = 0;
    const startLimit = (): number | undefined => {
      if (this.#deadline === undefined) return undefined;
      limitMs = attemptLimitMs(this.#deadline - this.#clock.now());
      return limitMs;
    };
    const sending = this.#sendAgainIfStale(batch, attempt.signal);
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
      const left = { requestedMs: Math.max(0, requestedUntil - now), ownMs: ownLeftMs };
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

  /** Waits for `work`, and calls `stop` when the signal aborts or the time is up, which starts again with a new deadline. */
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

  async #sendAgainIfStale(batch: EncodedBatch, signal: AbortSignal): Promise<SendOutcome> {
    const outcome = await this.#attempt(batch, signal);
    if (outcome.kind !== 'retryable' || !isReset(outcome.error) || !this.#mayBeStale) return outcome;
    // Services close idle connections, which is often noticed only by the next request. Not a failure yet.
    this.#mayBeStale = false;
    return this.#attempt(batch, signal);
  }

  async #attempt(batch: EncodedBatch, signal: AbortSignal): Promise<SendOutcome> {
    const calls = this.#check.attempt(batch);
    let next = calls.next();
    while (!next.done) next = calls.next(await this.#call(next.value, signal));
    return next.value;
  }

  async #call({ verb, path, headers, body }: Call, signal: AbortSignal): Promise<Reply> {
    try {
      const response = await this.#caller.callPath(verb, path, { data: body, headers, signal });
      const reply = await receiveBody(response);
      this.#mayBeStale = true;
      return reply;
    } catch (error) {
      return { error: signal.aborted ? new Error('stopped before the service responded') : error };
    }
  }
}
