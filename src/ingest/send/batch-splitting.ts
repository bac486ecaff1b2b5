import type { BatchSizeLimit } from '../batch/batch-size-limit.ts';
import type { SplittableBatch } from '../batch/splittable-batch.ts';
import type { DeliveryAccounting } from '../report/delivery-accounting.ts';
import type { RetryableOutcome, SendOutcome } from './sender.ts';

const CONTENT_TOO_LARGE = 413;

/** Answers that may be about a part of the records: too large, bad request, unprocessable. */
const HELPED_BY_SPLITTING: readonly number[] = [CONTENT_TOO_LARGE, 400, 422];

/** Splits the next request of a batch that left the queue before the service's limit was known. */
export function splitToLimit(batch: SplittableBatch, { maxBytes }: BatchSizeLimit): void {
  while (batch.nextEventBytes > maxBytes && batch.splitNext()) {
    // Until it is small enough.
  }
}

/**
 * Does with the next request of a batch what its outcome asks for. What is too large is halved. A request that the
 * service calls bad is halved until the record is alone that makes it so; only that one is given up.
 */
export function settleOutcome(
  batch: SplittableBatch,
  outcome: Exclude<SendOutcome, RetryableOutcome>,
  { report, sizeLimit }: { readonly report: DeliveryAccounting; readonly sizeLimit: BatchSizeLimit },
): void {
  if (outcome.kind === 'delivered') {
    sizeLimit.delivered(batch.nextEventBytes);
    // In this order: a hook that hears of a recovery may look at the counters.
    report.delivered(batch.settleNext().length);
    return;
  }
  if (outcome.statusCode === CONTENT_TOO_LARGE && batch.nextLength > 1) {
    sizeLimit.refused(batch.nextEventBytes);
  }
  if (HELPED_BY_SPLITTING.includes(outcome.statusCode) && batch.splitNext()) return;
  report.rejected(batch.settleNext(), outcome.reason);
}
