import { backoffDelay } from '../../core/backoff.ts';
import type { EncodedBatch } from '../batch/encoded-batch.ts';
import type { SplittableBatch } from '../batch/splittable-batch.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import type { World } from '../world.ts';
import { type BatchResult, prepareNext, settleOutcome } from './deliver-batch.ts';
import { classifyError, requestHeaders } from './http-sender.ts';
import { attemptLimitMs, DELAY_BEFORE_DEADLINE_MS, MIN_ATTEMPT_MS } from './retry-backoff.ts';
import type { FailedOutcome, RetryableOutcome, SendOutcome } from './sender.ts';

export interface SyncDeliveryContext extends DeliveryContext {
  readonly caller: ReturnType<World['openBlockingCaller']>;
  /** End of the last attempt, in milliseconds of {@link World.uptimeMs}. */
  readonly deadline: number;
}

/** Delivers batches like {@link deliverBatch}, but blocks this thread, one request after the other. */
export class SyncBatchSender {
  readonly #context: SyncDeliveryContext;

  constructor(context: SyncDeliveryContext) {
    this.#context = context;
    context.refusals.isHurried = true;
  }

  deliver(batch: SplittableBatch): BatchResult {
    const { refusals } = this.#context;
    while (batch.length > 0) {
      prepareNext(batch, this.#context);
      const outcome = this.#send(batch.encodeNextSync(), batch.nextLength === 1);
      if (outcome.kind === 'retryable') return 'stopped';
      if (!settleOutcome(batch, outcome, this.#context)) return refusals.areFinal ? 'stopped' : 'refused';
    }
    return 'settled';
  }

  #send(batch: EncodedBatch, isLone: boolean): SendOutcome {
    const { accounting, check, refusals } = this.#context;
    for (let attempt = 1; ; attempt++) {
      const first = this.#attempt(batch);
      const outcome = refusals.judge(check.switchScheme(first) ? this.#attempt(batch) : first, isLone);
      if (outcome.kind === 'delivered' || outcome.kind === 'rejected') return outcome;
      // Reported once, when it is clear what is lost.
      accounting.retried({ ...outcome, tookLong: false }, 1);
      // No one fixes a token in the last seconds of a program.
      if (outcome.needsAttention || !this.#pause(outcome, attempt)) return outcome;
      if (outcome.kind === 'refused') return outcome;
    }
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

  /** Waits before the next attempt. @returns whether there is time for one. */
  #pause({ retryAfterMs = 0 }: RetryableOutcome, attempt: number): boolean {
    const { deadline, options, world } = this.#context;
    const { minRetryDelayMs: firstBoundMs, maxRetryDelayMs: maxDelayMs } = options;
    const ownMs = backoffDelay(attempt - 1, { firstBoundMs, maxDelayMs, random: world.random });
    const leftMs = deadline - world.uptimeMs();
    const requestedMs = retryAfterMs < leftMs ? retryAfterMs : 0;
    const delayMs = Math.max(requestedMs, Math.min(ownMs, DELAY_BEFORE_DEADLINE_MS));
    if (delayMs + MIN_ATTEMPT_MS > leftMs) return false;
    world.block(delayMs);
    return true;
  }
}
