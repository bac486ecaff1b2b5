import { connectionProxy, usesGlobalDispatcher } from '../../core/http/node/connection-options.ts';
import { userAgent } from '../../core/http/user-agent.ts';
import { tryOr } from '../../core/try-or.ts';
import type { Backlog } from '../backlog.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { Dispatcher } from '../dispatcher.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import { type BlockingContext, BlockingSender } from '../send/blocking-sender.ts';

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
  deliver(backlog, new BlockingSender({ ...context, caller, deadline }), context);
  caller.close();
  return true;
}

function deliver(backlog: Backlog, sender: BlockingSender, context: DeliveryContext): void {
  const { policy, world } = context;
  const dispatcher = new Dispatcher(context, backlog);
  policy.isHurried = true;
  const slot = { failures: 0 };
  for (;;) {
    const shipment = dispatcher.next();
    if (shipment === undefined) {
      if (backlog.pack() === undefined) return;
      continue;
    }
    const startedAt = world.uptimeMs();
    const outcome = sender.send(shipment.sent.encodeSync());
    const delay = dispatcher.settle(shipment, outcome, world.uptimeMs() - startedAt, slot);
    if (delay === undefined || !sender.pause(delay)) return;
  }
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
): BlockingContext['caller'] | undefined {
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
