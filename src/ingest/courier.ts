import type { BatchSizeLimit } from './batch-size-limit.ts';
import type { DeliveryReport } from './delivery-report.ts';
import type { Sender, SendOutcome } from './sender.ts';
import type { Shipment } from './shipment.ts';

export interface CourierOptions {
  readonly sender: Sender;
  readonly report: DeliveryReport;
  readonly sizeLimit: BatchSizeLimit;
  /** Called whenever a part of a shipment is delivered or given up. */
  readonly onSettled: () => void;
}

/**
 * Delivers shipments: whole where the service takes them whole, else in parts. What is too large is halved. A request
 * that the service calls bad is halved until the record is alone that makes it so; only that one is given up.
 */
export class Courier {
  readonly #options: CourierOptions;

  constructor(options: CourierOptions) {
    this.#options = options;
  }

  /** @returns false when it was stopped, or there is no time left; what is not settled is then the caller's affair. */
  async deliver(shipment: Shipment, signal: AbortSignal): Promise<boolean> {
    while (shipment.length > 0) {
      this.#splitToLimit(shipment);
      const outcome = await this.#send(shipment, signal);
      if (signal.aborted || outcome.kind === 'retryable') return false;
      this.#settle(shipment, outcome);
      this.#options.onSettled();
    }
    return true;
  }

  /** It left the queue before the service's limit was known. */
  #splitToLimit(shipment: Shipment): void {
    while (shipment.nextEventBytes > this.#options.sizeLimit.maxBytes && shipment.splitNext()) {
      // Until it is small enough.
    }
  }

  async #send(shipment: Shipment, signal: AbortSignal): Promise<SendOutcome> {
    try {
      return await this.#options.sender.send(await shipment.encodeNext(), { signal });
    } catch (error) {
      // Expected failures are outcomes. What is left can only be a lack of memory for the encoding.
      const reason = error instanceof Error ? error.message : 'it could not be encoded';
      return { kind: 'rejected', statusCode: 0, reason };
    }
  }

  #settle(shipment: Shipment, outcome: Exclude<SendOutcome, { kind: 'retryable' }>): void {
    const { report, sizeLimit } = this.#options;
    if (outcome.kind === 'delivered') {
      report.delivered(shipment.nextLength);
      sizeLimit.delivered(shipment.nextEventBytes);
      shipment.settleNext();
      return;
    }
    if (outcome.statusCode === CONTENT_TOO_LARGE && shipment.nextLength > 1) {
      sizeLimit.refused(shipment.nextEventBytes);
    }
    if (HELPED_BY_SPLITTING.includes(outcome.statusCode) && shipment.splitNext()) return;
    report.rejected(shipment.settleNext(), outcome.reason);
  }
}

export const CONTENT_TOO_LARGE = 413;

/** Answers that may be about a part of the records: too large, bad request, unprocessable. */
export const HELPED_BY_SPLITTING: readonly number[] = [CONTENT_TOO_LARGE, 400, 422];
