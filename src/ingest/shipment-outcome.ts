import type { BatchSizeLimit } from './batch-size-limit.ts';
import type { DeliveryReport } from './delivery-report.ts';
import type { RetryableOutcome, SendOutcome } from './sender.ts';
import type { Shipment } from './shipment.ts';

const CONTENT_TOO_LARGE = 413;

/** Answers that may be about a part of the records: too large, bad request, unprocessable. */
const HELPED_BY_SPLITTING: readonly number[] = [CONTENT_TOO_LARGE, 400, 422];

/** Splits the next request of a shipment that left the queue before the service's limit was known. */
export function splitToLimit(shipment: Shipment, { maxBytes }: BatchSizeLimit): void {
  while (shipment.nextEventBytes > maxBytes && shipment.splitNext()) {
    // Until it is small enough.
  }
}

/**
 * Does with the next request of a shipment what its outcome asks for. What is too large is halved. A request that the
 * service calls bad is halved until the record is alone that makes it so; only that one is given up.
 */
export function settleOutcome(
  shipment: Shipment,
  outcome: Exclude<SendOutcome, RetryableOutcome>,
  { report, sizeLimit }: { readonly report: DeliveryReport; readonly sizeLimit: BatchSizeLimit },
): void {
  if (outcome.kind === 'delivered') {
    sizeLimit.delivered(shipment.nextEventBytes);
    // In this order: a hook that hears of a recovery may look at the counters.
    report.delivered(shipment.settleNext().length);
    return;
  }
  if (outcome.statusCode === CONTENT_TOO_LARGE && shipment.nextLength > 1) {
    sizeLimit.refused(shipment.nextEventBytes);
  }
  if (HELPED_BY_SPLITTING.includes(outcome.statusCode) && shipment.splitNext()) return;
  report.rejected(shipment.settleNext(), outcome.reason);
}
