import type { BatchSizeLimit } from '../batch/batch-size-limit.ts';
import type { SplittableBatch } from '../batch/splittable-batch.ts';
import type { DeliveryAccounting } from '../report/delivery-accounting.ts';
import { settleOutcome, splitToLimit } from './batch-splitting.ts';
import type { Sender, SendOutcome } from './sender.ts';

export interface BatchSenderOptions {
  readonly sender: Sender;
  readonly report: DeliveryAccounting;
  readonly sizeLimit: BatchSizeLimit;
  /** Called whenever a part of a batch is delivered or given up. */
  readonly onSettled: () => void;
}

/** Delivers batches: whole where the service takes them whole, else in parts. */
export class BatchSender {
  readonly #options: BatchSenderOptions;

  constructor(options: BatchSenderOptions) {
    this.#options = options;
  }

  /** @returns false when it was stopped, or there is no time left; what is not settled is then the caller's affair. */
  async deliver(batch: SplittableBatch, signal: AbortSignal): Promise<boolean> {
    while (batch.length > 0) {
      splitToLimit(batch, this.#options.sizeLimit);
      const outcome = await this.#send(batch, signal);
      if (signal.aborted || outcome.kind === 'retryable') return false;
      settleOutcome(batch, outcome, this.#options);
      this.#options.onSettled();
    }
    return true;
  }

  async #send(batch: SplittableBatch, signal: AbortSignal): Promise<SendOutcome> {
    try {
      return await this.#options.sender.send(await batch.encodeNext(), { signal });
    } catch (error) {
      // Expected failures are outcomes. What is left can only be a lack of memory for the encoding.
      const reason = error instanceof Error ? error.message : 'it could not be encoded';
      return { kind: 'rejected', statusCode: 0, reason };
    }
  }
}
