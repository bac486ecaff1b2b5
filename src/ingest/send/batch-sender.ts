import type { BatchSizeLimit } from '../batch/batch-size-limit.ts';
import type { SplittableBatch } from '../batch/splittable-batch.ts';
import type { DeliveryAccounting } from '../report/delivery-accounting.ts';
import { settleOutcome, splitToLimit } from './batch-splitting.ts';
import type { Sender, SendOutcome } from './sender.ts';

export interface BatchSenderOptions {
  readonly sender: Sender;
  readonly accounting: DeliveryAccounting;
  readonly sizeLimit: BatchSizeLimit;
  /** Called when a part of a batch is delivered or dropped. */
  readonly onSettled: () => void;
}

/** Delivers batches, in parts if the service rejects the whole. */
export class BatchSender {
  readonly #options: BatchSenderOptions;

  constructor(options: BatchSenderOptions) {
    this.#options = options;
  }

  /** @returns false if the remaining records are neither delivered nor rejected: it was stopped, or the time is up. */
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
      // Expected failures are outcomes, so only the encoding can have failed, for lack of memory.
      const reason = error instanceof Error ? error.message : 'it could not be encoded';
      return { kind: 'rejected', statusCode: 0, reason };
    }
  }
}
