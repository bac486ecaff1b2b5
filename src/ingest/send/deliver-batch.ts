import type { SplittableBatch } from '../batch/splittable-batch.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { CONTENT_TOO_LARGE } from '../refusals.ts';
import type { Sender, SendOutcome } from './sender.ts';

/** All records are delivered or dropped; a request was refused and is sent again, maybe after other batches; the time is up. */
export type BatchResult = 'settled' | 'refused' | 'stopped';

export interface BatchDelivery {
  readonly context: DeliveryContext;
  readonly sender: Sender;
  readonly signal: AbortSignal;
  /** Called when a part of the batch is delivered or dropped. */
  readonly onSettled: () => void;
}

/** Delivers a batch, in parts if the service rejects the whole. */
export async function deliverBatch(batch: SplittableBatch, delivery: BatchDelivery): Promise<BatchResult> {
  const { context, signal, onSettled } = delivery;
  while (batch.length > 0) {
    prepareNext(batch, context);
    const outcome = await send(batch, delivery);
    if (signal.aborted || outcome.kind === 'retryable') return 'stopped';
    if (!settleOutcome(batch, outcome, context)) return context.refusals.areFinal ? 'stopped' : 'refused';
    onSettled();
  }
  return 'settled';
}

async function send(batch: SplittableBatch, { sender, signal }: BatchDelivery): Promise<SendOutcome> {
  try {
    const isLone = batch.nextLength === 1;
    return await sender.send(await batch.encodeNext(), { signal, isLone });
  } catch (error) {
    // Expected failures are outcomes, so only the encoding can have failed, for lack of memory.
    const reason = error instanceof Error ? error.message : 'it could not be encoded';
    return { kind: 'rejected', statusCode: 0, reason };
  }
}

/** Splits the next request if that helps to find the cause of refusals, or if it exceeds the service's size limit. */
export function prepareNext(batch: SplittableBatch, { sizeLimit, refusals }: DeliveryContext): void {
  batch.isolateCause(refusals);
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
 *
 * @returns false if the request was refused and must be sent again.
 */
export function settleOutcome(
  batch: SplittableBatch,
  outcome: SendOutcome,
  { accounting, sizeLimit, refusals }: DeliveryContext,
): boolean {
  if (outcome.kind === 'delivered') {
    sizeLimit.delivered(batch.nextEventBytes);
    // The batch is settled first, because an `onRecovered` hook may read the counters.
    accounting.delivered(batch.settleNext().length);
    return true;
  }
  if (outcome.kind === 'rejected') {
    const isTooLarge = outcome.statusCode === CONTENT_TOO_LARGE && batch.nextLength > 1;
    if (isTooLarge) sizeLimit.rejected(batch.nextEventBytes);
    if (outcome.statusCode > 0 && batch.splitNext(outcome.invalidRecord)) return true;
  } else if (!batch.nextRefused(refusals)) return false;
  accounting.rejected(batch.settleNext(), outcome);
  return true;
}
