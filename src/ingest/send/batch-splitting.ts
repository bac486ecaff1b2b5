import type { BatchSizeLimit } from '../batch/batch-size-limit.ts';
import type { SplittableBatch } from '../batch/splittable-batch.ts';
import type { DeliveryAccounting } from '../report/delivery-accounting.ts';
import type { DeliveredOutcome, RejectedOutcome } from './sender.ts';

const CONTENT_TOO_LARGE = 413;

/** Responses that may concern only some of the records: too large, bad request, unprocessable. */
const STATUSES_TO_SPLIT: readonly number[] = [CONTENT_TOO_LARGE, 400, 422];

/** Splits the next request of a batch that was packed before the service's size limit was known. */
export function splitToLimit(batch: SplittableBatch, { maxBytes }: BatchSizeLimit): void {
  while (batch.nextEventBytes > maxBytes && batch.splitNext()) {
    // Until it is small enough.
  }
}

/**
 * Settles or splits the next request of a batch. A request that is too large is halved. A rejected request is halved
 * until the rejected record is alone, or split around the record that the service names. Only that record is dropped,
 * after it was rejected alone, because receivers count differently.
 *
 * Splunk stores the records before the one that it names; LogScale stores none. They are resent, so none is lost.
 */
export function settleOutcome(
  batch: SplittableBatch,
  outcome: DeliveredOutcome | RejectedOutcome,
  { accounting, sizeLimit }: { readonly accounting: DeliveryAccounting; readonly sizeLimit: BatchSizeLimit },
): void {
  if (outcome.kind === 'delivered') {
    sizeLimit.delivered(batch.nextEventBytes);
    // In this order: a hook that hears of a recovery may look at the counters.
    accounting.delivered(batch.settleNext().length);
    return;
  }
  if (outcome.statusCode === CONTENT_TOO_LARGE && batch.nextLength > 1) {
    sizeLimit.rejected(batch.nextEventBytes);
  }
  if (STATUSES_TO_SPLIT.includes(outcome.statusCode) && batch.splitNext(outcome.invalidRecord)) return;
  accounting.rejected(batch.settleNext(), outcome);
}
