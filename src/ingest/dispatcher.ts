import { type Backlog, lostRecords } from './backlog.ts';
import { split } from './batch/batch-builder.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { hasFailed, type Shipment } from './failure-policy.ts';
import type { Delay } from './send/retry-backoff.ts';
import type { SendOutcome } from './send/sender.ts';

/** Batches that have failed may need more memory than `maxQueueBytes`, up to this. */
const MAX_FAILED_BYTES = 8 * 1024 * 1024;

/** Applies the failure policy to the backlog. */
export class Dispatcher {
  readonly #context: DeliveryContext;
  readonly #backlog: Backlog;

  constructor(context: DeliveryContext, backlog: Backlog) {
    this.#context = context;
    this.#backlog = backlog;
  }

  /** Moves what is sent next in flight. @returns `undefined` if nothing may be sent now. */
  next(): Shipment | undefined {
    const { sendQueue } = this.#backlog;
    const { policy, options } = this.#context;
    // An outage can last for days.
    const canHoldMore =
      sendQueue.heldBytes < options.maxQueueBytes ||
      (sendQueue.heldBytes < MAX_FAILED_BYTES && sendQueue.waiting.every(hasFailed));
    if (policy.needsOthers && canHoldMore) this.#backlog.pack();
    const shipment = policy.next(sendQueue.waiting, (batch, parts) => sendQueue.putBack(batch, parts));
    if (shipment !== undefined) sendQueue.take(shipment.batch);
    return shipment;
  }

  /**
   * Settles the records that were sent, or puts them back.
   *
   * @returns the pause before the next request; `undefined` if there is no time left for one.
   */
  settle(shipment: Shipment, response: SendOutcome, tookMs: number): Delay | undefined {
    const { accounting, policy, options } = this.#context;
    const { sendQueue } = this.#backlog;
    const { batch, sent, rest } = shipment;
    const outcome = policy.doubted(response, sent);
    const verdict = policy.judge(shipment, outcome, tookMs / options.requestTimeoutMs);
    if (verdict === 'kept') sendQueue.putBack(batch);
    else sendQueue.putBack(batch, verdict === 'split' ? split(batch, invalidRecordOf(outcome)) : rest);
    // The records are settled first, because a hook may read the counters.
    if (outcome.kind === 'delivered') accounting.delivered(sent.length);
    else if (verdict === 'dropped') accounting.rejected(lostRecords([sent]), outcome);
    else if (outcome.kind !== 'rejected') {
      accounting.retried(outcome, policy.report(shipment, outcome));
    }
    this.#backlog.settled();
    if (policy.isFinal(outcome)) return undefined;
    batch.history.isResting = true;
    return policy.delay(shipment, outcome, sendQueue.waiting);
  }
}

function invalidRecordOf(outcome: SendOutcome): number | undefined {
  return outcome.kind === 'rejected' ? outcome.invalidRecord : undefined;
}
