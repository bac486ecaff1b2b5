import type { BatchSizeLimit } from './batch-size-limit.ts';
import type { DeliveryReport } from './delivery-report.ts';
import type { Sender, SendOutcome } from './sender.ts';
import type { Shipment } from './shipment.ts';
import { settleOutcome, splitToLimit } from './shipment-outcome.ts';

export interface CourierOptions {
  readonly sender: Sender;
  readonly report: DeliveryReport;
  readonly sizeLimit: BatchSizeLimit;
  /** Called whenever a part of a shipment is delivered or given up. */
  readonly onSettled: () => void;
}

/** Delivers shipments: whole where the service takes them whole, else in parts. */
export class Courier {
  readonly #options: CourierOptions;

  constructor(options: CourierOptions) {
    this.#options = options;
  }

  /** @returns false when it was stopped, or there is no time left; what is not settled is then the caller's affair. */
  async deliver(shipment: Shipment, signal: AbortSignal): Promise<boolean> {
    while (shipment.length > 0) {
      splitToLimit(shipment, this.#options.sizeLimit);
      const outcome = await this.#send(shipment, signal);
      if (signal.aborted || outcome.kind === 'retryable') return false;
      settleOutcome(shipment, outcome, this.#options);
      this.#options.onSettled();
    }
    return true;
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
}
