import { backoffDelay } from '../../internal/backoff.ts';
import type { BlockingCaller } from '../../web/blocking-caller.ts';
import type { EncodedBatch } from '../batch/encoded-batch.ts';
import type { SplittableBatch } from '../batch/splittable-batch.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { settleOutcome, splitToLimit } from './deliver-batch.ts';
import { classifyHecBody } from './hec-response.ts';
import { classifyError, requestHeaders } from './http-sender.ts';
import { attemptLimitMs, DELAY_BEFORE_DEADLINE_MS, MIN_ATTEMPT_MS } from './retry-backoff.ts';
import type { FailedOutcome, RetryableOutcome, SendOutcome } from './sender.ts';

export interface SyncBatchSenderOptions extends DeliveryContext {
  readonly caller: BlockingCaller;
  /** End of the last attempt, in epoch milliseconds. */
  readonly deadline: number;
}

/** Delivers batches like {@link deliverBatch}, but blocks this thread, one request after the other. */
export class SyncBatchSender {
  readonly #options: SyncBatchSenderOptions;

  constructor(options: SyncBatchSenderOptions) {
    this.#options = options;
  }

  /** @returns false if the time is up, or further attempts have no chance. */
  deliver(batch: SplittableBatch): boolean {
    while (batch.length > 0) {
      splitToLimit(batch, this.#options);
      const outcome = this.#send(batch.encodeNextSync());
      if (outcome.kind === 'retryable') return false;
      settleOutcome(batch, outcome, this.#options);
    }
    return true;
  }

  #send(batch: EncodedBatch): SendOutcome {
    for (let attempt = 1; ; attempt++) {
      const outcome = this.#attempt(batch);
      if (outcome.kind !== 'retryable') return outcome;
      // Reported once, when it is clear what is lost.
      this.#options.accounting.retried({ ...outcome, tookLong: false }, 1);
      // No one fixes a token in the last seconds of a program.
      if (outcome.needsAttention || !this.#pause(outcome, attempt)) return outcome;
    }
  }

  #attempt(batch: EncodedBatch): SendOutcome {
    const { caller, check, ingester } = this.#options;
    try {
      const failure = check.isDueFirst ? this.#checkAddress() : undefined;
      if (failure !== undefined) return failure;
      const body = caller.call('POST', ingester.endpoint, {
        body: batch.body,
        headers: requestHeaders(batch, ingester, check),
        timeoutMs: this.#timeoutMs,
      });
      if (ingester.hec !== undefined) return classifyHecBody(body);
      return (check.isDueAfter(body) && this.#checkAddress()) || { kind: 'delivered' };
    } catch (error) {
      return classifyError(error, ingester);
    }
  }

  #checkAddress(): FailedOutcome | undefined {
    const { caller, check } = this.#options;
    try {
      return check.failureOf(caller.call('GET', check.path, { headers: {}, timeoutMs: this.#timeoutMs }));
    } catch (error) {
      return check.failureOfError(error);
    }
  }

  get #timeoutMs(): number {
    const { deadline, ingester } = this.#options;
    const leftMs = deadline - Date.now();
    return Math.max(1, Math.min(ingester.requestTimeoutMs, leftMs, attemptLimitMs(leftMs)));
  }

  /** Waits before the next attempt. @returns whether there is time for one. */
  #pause({ retryAfterMs = 0 }: RetryableOutcome, attempt: number): boolean {
    const { deadline, ingester } = this.#options;
    const { minRetryDelayMs, maxRetryDelayMs } = ingester;
    const ownMs = backoffDelay(attempt - 1, { minDelayMs: minRetryDelayMs, maxDelayMs: maxRetryDelayMs });
    const leftMs = deadline - Date.now();
    const askedMs = retryAfterMs < leftMs ? retryAfterMs : 0;
    const delayMs = Math.max(askedMs, Math.min(ownMs, DELAY_BEFORE_DEADLINE_MS));
    if (delayMs + MIN_ATTEMPT_MS > leftMs) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
    return true;
  }
}
