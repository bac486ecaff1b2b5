import { BlockingCaller } from '../../web/blocking-caller.ts';
import { connectionProxy, usesGlobalDispatcher } from '../../web/connection-options.ts';
import { userAgent } from '../../web/user-agent.ts';
import type { Backlog } from '../backlog.ts';
import type { BatchSizeLimit } from '../batch-size-limit.ts';
import type { DeliveryReport } from '../delivery-report.ts';
import type { ResolvedIngesterOptions } from '../ingester-options.ts';
import { BlockingCourier } from './blocking-courier.ts';
import { exitTimeLeft } from './exit-time.ts';

export interface ExitDeliveryOptions {
  readonly ingester: ResolvedIngesterOptions;
  readonly report: DeliveryReport;
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
  const courier = new BlockingCourier({ ingester, caller, report, sizeLimit, deadline });
  backlog.recall();
  let shipment = backlog.depart();
  while (shipment !== undefined && courier.deliver(shipment)) {
    backlog.arrived(shipment);
    shipment = backlog.depart();
  }
  caller.close();
  return true;
}

/**
 * Whether a worker thread can reach the service: it has neither the program's `fetch` and `agent` nor the dispatcher that
 * the program has passed to undici's `setGlobalDispatcher`.
 */
export function isReachableByWorker({ connection }: ResolvedIngesterOptions): boolean {
  return (
    connection.fetch === undefined && connection.agent === undefined && !usesGlobalDispatcher(connection)
  );
}

/** @returns `undefined` without permission, or without threads: nothing that could be mended now */
function openCaller(
  { connection, token }: ResolvedIngesterOptions,
  startTimeoutMs: number,
): BlockingCaller | undefined {
  const { baseUrl, ca, clientName } = connection;
  const headers = {
    'user-agent': userAgent(clientName),
    ...connection.headers,
    authorization: `Bearer ${token}`,
  };
  try {
    const proxy = connectionProxy('Ingester', connection);
    return new BlockingCaller({ baseUrl, headers, proxy, ca, startTimeoutMs });
  } catch {
    return undefined;
  }
}
