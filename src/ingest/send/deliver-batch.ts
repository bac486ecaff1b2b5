import type { SplittableBatch } from '../batch/splittable-batch.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import type { DeliveredOutcome, RejectedOutcome, Sender, SendOutcome } from './sender.ts';

const CONTENT_TOO_LARGE = 413;

/** Responses that may concern only some of the records: too large, bad request, unprocessable. */
const STATUSES_TO_SPLIT: readonly number[] = [CONTENT_TOO_LARGE, 400, 422];

export interface BatchDelivery {
  readonly context: DeliveryContext;
  readonly sender: Sender;
  readonly signal: AbortSignal;
  /** Called when a part of the batch is delivered or dropped. */
  readonly onSettled: () => void;
}

/**
 * Delivers a batch, in parts if the service rejects the whole.
 *
 * @returns false if the remaining records are neither delivered nor rejected: it was stopped, or the time is up.
 */
export async function deliverBatch(batch: SplittableBatch, delivery: BatchDelivery): Promise<boolean> {
  const { context, signal, onSettled } = delivery;
  while (batch.length > 0) {
    splitToLimit(batch, context);
    const outcome = await send(batch, delivery);
    if (signal.aborted || outcome.kind === 'retryable') return false;
    settleOutcome(batch, outcome, context);
    onSettled();
  }
  return true;
}

async function send(batch: SplittableBatch, { sender, signal }: BatchDelivery): Promise<SendOutcome> {
  try {
    return await sender.send(await batch.encodeNext(), { signal });
  } catch (error) {
    // Expected failures are outcomes, so only the encoding can have failed, for lack of memory.
    const reason = error instanceof Error ? error.message : 'it could not be encoded';
    return { kind: 'rejected', statusCode: 0, reason };
  }
}

/** Splits the next request of a batch that was packed before the service's size limit was known. */
export function splitToLimit(batch: SplittableBatch, { sizeLimit }: DeliveryContext): void {
  while (batch.nextEventBytes > sizeLimit.maxBytes && batch.splitNext()) {
    // Until it is small enough.
  }
}

/**
 * Settles or splits the next request of a batch. A request that is too large is halved. A rejected request is halved
 * until the rejected record is alone, or split around the record that the service names. Only that record is dropped,
 * after it was rejected alone, because receivers count differently.
 *
 * Splunk stores the records before the invalid one; LogScale stores none. All are resent, so none is lost.
 */
export function settleOutcome(
  batch: SplittableBatch,
  outcome: DeliveredOutcome | RejectedOutcome,
  { accounting, sizeLimit }: DeliveryContext,
): void {
  if (outcome.kind === 'delivered') {
    sizeLimit.delivered(batch.nextEventBytes);
    // The batch is settled first, because an `onRecovered` hook may read the counters.
    accounting.delivered(batch.settleNext().length);
    return;
  }
  if (outcome.statusCode === CONTENT_TOO_LARGE && batch.nextLength > 1) {
    sizeLimit.rejected(batch.nextEventBytes);
  }
  if (STATUSES_TO_SPLIT.includes(outcome.statusCode) && batch.splitNext(outcome.invalidRecord)) return;
  accounting.rejected(batch.settleNext(), outcome);
}
