import { connectionProxy, usesGlobalDispatcher } from '../../core/http/node/connection-options.ts';
import { userAgent } from '../../core/http/user-agent.ts';
import { tryOr } from '../../core/try-or.ts';
import type { Backlog } from '../backlog.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import { SyncBatchSender, type SyncDeliveryContext } from '../send/sync-batch-sender.ts';

/** A worker needs a moment before it can send anything. */
const START_ALLOWANCE_MS = 1_500;

/**
 * Delivers the backlog in an `exit` listener, when the event loop no longer runs: a worker sends the requests while this
 * thread waits. Takes up to `closeTimeoutMs`, plus the start of the worker. Undelivered records stay in the backlog.
 *
 * @returns whether delivery was attempted.
 */
export function deliverAtExit(backlog: Backlog, context: DeliveryContext): boolean {
  const { options, world } = context;
  const { closeTimeoutMs } = options;
  if (backlog.isEmpty || !isReachableByWorker(options)) return false;
  const waitMs = world.exit.timeLeft(closeTimeoutMs + START_ALLOWANCE_MS);
  if (waitMs <= 0) return false;
  const end = world.uptimeMs() + waitMs;
  const caller = openCaller(context, waitMs);
  if (caller === undefined) return false;
  const deadline = Math.min(end, world.uptimeMs() + closeTimeoutMs);
  const batchSender = new SyncBatchSender({ ...context, caller, deadline });
  for (let batch = backlog.takeNext(); batch !== undefined; batch = backlog.takeNext()) {
    const result = batchSender.deliver(batch);
    if (result === 'stopped') break;
    if (result === 'refused') backlog.sendQueue.putBack(batch);
    else backlog.remove(batch);
  }
  caller.close();
  return true;
}

/** Worker threads have no access to the options `fetch` and `agent`, nor to undici's global dispatcher. */
export function isReachableByWorker({ connection, localServer }: ResolvedIngesterOptions): boolean {
  const { agent, fetch } = connection;
  if (localServer !== undefined) return true;
  return fetch === undefined && agent === undefined && !usesGlobalDispatcher(connection);
}

/** @returns `undefined` if no worker can be started, for example without permission. */
function openCaller(
  { options: { connection, token }, check: { followed, redactText }, world }: DeliveryContext,
  startTimeoutMs: number,
): SyncDeliveryContext['caller'] | undefined {
  const { baseUrl, ca, clientName } = connection;
  const headers = { 'user-agent': userAgent(clientName), ...connection.headers };
  return tryOr(undefined, () => {
    const proxy = followed === undefined ? connectionProxy('Ingester', connection) : undefined;
    const secrets = [token];
    return world.openBlockingCaller({
      ...{ baseUrl, headers, proxy, ca, secrets, redactText, followed, startTimeoutMs },
    });
  });
}
