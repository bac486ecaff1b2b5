import { backoffDelay } from '../../internal/backoff.ts';
import type { BlockingCaller } from '../../web/blocking-caller.ts';
import type { BatchSizeLimit } from '../batch/batch-size-limit.ts';
import { contentHeaders, type EncodedBatch } from '../batch/encoded-batch.ts';
import type { SplittableBatch } from '../batch/splittable-batch.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import type { DeliveryAccounting } from '../report/delivery-accounting.ts';
import { settleOutcome, splitToLimit } from './batch-splitting.ts';
import { classifyError } from './http-sender.ts';
import type { RetryableOutcome, SendOutcome } from './sender.ts';

export interface SyncBatchSenderOptions {
  readonly ingester: ResolvedIngesterOptions;
  readonly caller: BlockingCaller;
  readonly report: DeliveryAccounting;
  readonly sizeLimit: BatchSizeLimit;
  /** When the last attempt must be over, in epoch milliseconds. */
  readonly deadline: number;
}

/** The longest wait before a retry that the service did not ask for. */
const RETRY_DELAY_MS = 500;

/** Delivers batches as the ingester does, but while this thread stands still, one request after the other. */
export class SyncBatchSender {
  readonly #options: SyncBatchSenderOptions;

  constructor(options: SyncBatchSenderOptions) {
    this.#options = options;
  }

  /** @returns false when there is no time left, or no prospect. */
  deliver(batch: SplittableBatch): boolean {
    while (batch.length > 0) {
      splitToLimit(batch, this.#options.sizeLimit);
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
      // People are told once, when it is clear what is lost.
      this.#options.report.retried({ ...outcome, tookLong: false }, 1);
      // Nobody mends a token in the last seconds of a program.
      if (outcome.needsAttention || !this.#pause(outcome, attempt)) return outcome;
    }
  }

  #attempt(batch: EncodedBatch): SendOutcome {
    const { caller, deadline, ingester } = this.#options;
    const timeoutMs = Math.max(1, Math.min(ingester.requestTimeoutMs, deadline - Date.now()));
    try {
      caller.post(ingester.endpoint, { body: batch.body, headers: contentHeaders(batch), timeoutMs });
      return { kind: 'delivered' };
    } catch (error) {
      return classifyError(error);
    }
  }

  /** Waits for the next attempt. @returns whether there is time for one */
  #pause({ retryAfterMs = 0 }: RetryableOutcome, attempt: number): boolean {
    const { deadline, ingester } = this.#options;
    const { minRetryDelayMs, maxRetryDelayMs } = ingester;
    const ownMs = backoffDelay(attempt - 1, { minDelayMs: minRetryDelayMs, maxDelayMs: maxRetryDelayMs });
    const leftMs = deadline - Date.now();
    const askedMs = retryAfterMs < leftMs ? retryAfterMs : 0;
    const delayMs = Math.max(askedMs, Math.min(ownMs, RETRY_DELAY_MS));
    if (delayMs >= leftMs) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
    return true;
  }
}
