import type { Backlog } from './backlog.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { isLoneSuspect, type Shipment } from './failure-policy.ts';
import { type Delay, NO_DELAY } from './send/retry-backoff.ts';
import type { SendOutcome } from './send/sender.ts';

/** One of the requests that may be in flight. */
export interface Slot {
  /** Failures in a row, without those of lone records that are at fault. */
  failures: number;
}

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
    const canHoldMore =
      sendQueue.heldBytes < options.maxQueueBytes ||
      sendQueue.waiting.every(({ history }) => history.triedAt > 0);
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
  settle(shipment: Shipment, response: SendOutcome, tookMs: number, slot: Slot): Delay | undefined {
    const { accounting, policy, options } = this.#context;
    const { sendQueue } = this.#backlog;
    const { batch, sent, rest } = shipment;
    const outcome = policy.doubted(response, sent);
    const wasSuspect = batch.history.isSuspect;
    const isBlamed = outcome.kind === 'retryable' && outcome.dependsOn !== undefined;
    const isExpected = isBlamed && isLoneSuspect(batch);
    // The delays of an outage say nothing about the records.
    if (isBlamed && !policy.hasBlamed) slot.failures = 0;
    if (!isExpected) slot.failures = outcome.kind === 'retryable' ? slot.failures + 1 : 0;
    const verdict = policy.judge(shipment, outcome, tookMs / options.requestTimeoutMs);
    if (verdict === 'kept') sendQueue.putBack(batch);
    else sendQueue.putBack(batch, verdict === 'split' ? batch.split(invalidRecordOf(outcome)) : rest);
    // The records are settled first, because a hook may read the counters.
    if (outcome.kind === 'delivered') accounting.delivered(sent.length);
    else if (verdict === 'dropped') accounting.rejected(sent.lost(), outcome);
    else if (outcome.kind !== 'rejected') {
      accounting.retried(outcome, policy.report(outcome, slot.failures, wasSuspect));
    }
    this.#backlog.settled();
    if (policy.isFinal(outcome)) return undefined;
    batch.history.isResting = true;
    return isExpected ? NO_DELAY : policy.delay(outcome, slot.failures, sendQueue.waiting);
  }
}

function invalidRecordOf(outcome: SendOutcome): number | undefined {
  return outcome.kind === 'rejected' ? outcome.invalidRecord : undefined;
}
