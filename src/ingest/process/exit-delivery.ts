import { BlockingCaller } from '../../web/blocking-caller.ts';
import { hasGlobalDispatcher } from '../../web/global-dispatcher.ts';
import type { Backlog } from '../batch/backlog.ts';
import type { BatchSizeLimit } from '../batch/batch-size-limit.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import type { DeliveryAccounting } from '../report/delivery-accounting.ts';
import { SyncBatchSender } from '../send/sync-batch-sender.ts';
import { exitTimeLeft } from './exit-time.ts';

export interface ExitDeliveryOptions {
  readonly ingester: ResolvedIngesterOptions;
  readonly report: DeliveryAccounting;
  readonly sizeLimit: BatchSizeLimit;
}

/** A worker needs a moment before it can send anything. */
const START_ALLOWANCE_MS = 1_500;

/**
 * Delivers what is left from an `exit` listener, where the event loop of this thread does not turn any more: a worker
 * makes the requests, while this thread waits. Takes `closeTimeoutMs` and a moment for the start of the worker, whatever
 * the service does. What can't be delivered in time stays in the backlog.
 *
 * @returns whether it was tried.
 */
export function deliverAtExit(
  backlog: Backlog,
  { ingester, report, sizeLimit }: ExitDeliveryOptions,
): boolean {
  const { closeTimeoutMs } = ingester;
  if (backlog.isEmpty || !isReachableByWorker(ingester)) return false;
  const waitMs = exitTimeLeft(closeTimeoutMs + START_ALLOWANCE_MS);
  if (waitMs <= 0) return false;
  const end = Date.now() + waitMs;
  const caller = openCaller(ingester, waitMs);
  if (caller === undefined) return false;
  const deadline = Math.min(end, Date.now() + closeTimeoutMs);
  const batchSender = new SyncBatchSender({ ingester, caller, report, sizeLimit, deadline });
  backlog.recall();
  let batch = backlog.depart();
  while (batch !== undefined && batchSender.deliver(batch)) {
    backlog.arrived(batch);
    batch = backlog.depart();
  }
  caller.close();
  return true;
}

/**
 * Whether a worker thread can reach the service: it has neither the program's `fetch` and `agent` nor the dispatcher that
 * the program has passed to undici's `setGlobalDispatcher`.
 */
export function isReachableByWorker({ connection }: ResolvedIngesterOptions): boolean {
  return connection.fetch === undefined && connection.agent === undefined && !hasGlobalDispatcher();
}

/** @returns `undefined` without permission, or without threads: nothing that could be mended now */
function openCaller(
  { connection, token }: ResolvedIngesterOptions,
  startTimeoutMs: number,
): BlockingCaller | undefined {
  const headers = { ...connection.headers, authorization: `Bearer ${token}` };
  try {
    return new BlockingCaller({ baseUrl: connection.baseUrl, headers, startTimeoutMs });
  } catch {
    return undefined;
  }
}
