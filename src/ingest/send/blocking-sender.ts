import type { EncodedBatch } from '../batch/encoded-batch.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import type { World } from '../world.ts';
import { classifyError, requestHeaders } from './http-sender.ts';
import { attemptLimitMs, DELAY_BEFORE_DEADLINE_MS, type Delay, MIN_ATTEMPT_MS } from './retry-backoff.ts';
import type { FailedOutcome, SendOutcome } from './sender.ts';

export interface BlockingContext extends DeliveryContext {
  readonly caller: ReturnType<World['openBlockingCaller']>;
  /** End of the last attempt, in milliseconds of {@link World.uptimeMs}. */
  readonly deadline: number;
}

/** Sends batches like `HttpSender`, but blocks this thread. */
export class BlockingSender {
  readonly #context: BlockingContext;

  constructor(context: BlockingContext) {
    this.#context = context;
  }

  send(batch: EncodedBatch): SendOutcome {
    const outcome = this.#attempt(batch);
    return this.#context.check.switchScheme(outcome) ? this.#attempt(batch) : outcome;
  }

  /** Waits before the next attempt. @returns whether there is time for one. */
  pause({ requestedMs, ownMs }: Delay): boolean {
    const { deadline, world } = this.#context;
    const leftMs = deadline - world.uptimeMs();
    const ownLimitMs = Math.min(ownMs, DELAY_BEFORE_DEADLINE_MS);
    const delayMs = Math.max(requestedMs < leftMs ? requestedMs : 0, ownLimitMs);
    if (delayMs + MIN_ATTEMPT_MS > leftMs) return false;
    if (delayMs > 0) world.block(delayMs);
    return true;
  }

  #attempt(batch: EncodedBatch): SendOutcome {
    const { caller, check, options } = this.#context;
    try {
      const failure = check.isDueFirst ? this.#checkAddress() : undefined;
      if (failure !== undefined) return failure;
      const { body, isComplete } = caller.call('POST', options.endpoint, {
        body: batch.body,
        headers: requestHeaders(batch, check),
        timeoutMs: this.#timeoutMs,
      });
      if (options.hec !== undefined) return check.classifyHec(body, isComplete);
      return (check.isDueAfter(body, isComplete) && this.#checkAddress()) || { kind: 'delivered' };
    } catch (error) {
      return classifyError(error, options);
    }
  }

  #checkAddress(): FailedOutcome | undefined {
    const { caller, check } = this.#context;
    try {
      const call = { headers: {}, timeoutMs: this.#timeoutMs };
      return check.failureOf(caller.call('GET', check.path, call).body);
    } catch (error) {
      return check.failureOfError(error);
    }
  }

  get #timeoutMs(): number {
    const { deadline, options, world } = this.#context;
    const leftMs = deadline - world.uptimeMs();
    return Math.max(1, Math.min(options.requestTimeoutMs, leftMs, attemptLimitMs(leftMs)));
  }
}
