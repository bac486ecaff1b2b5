import { usesGlobalDispatcher } from '../../core/http/node/connection-options.ts';
import { tryOr } from '../../core/try-or.ts';
import type { Backlog } from '../backlog.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import type { EndOfDelivery } from '../failure-policy.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import { attemptLimitMs, delayBeforeDeadlineMs, MIN_ATTEMPT_MS } from '../send/retry-backoff.ts';
import type { Call, Reply } from '../send/sender.ts';
import type { World } from '../world.ts';

/** A worker needs a moment before it can send anything. */
const START_ALLOWANCE_MS = 1_500;

/**
 * Delivers the backlog in an `exit` listener, when the event loop no longer runs: a worker sends the requests while this
 * thread waits. Takes up to `closeTimeoutMs`, plus the start of the worker. Undelivered records stay in the backlog.
 *
 * @returns `atExit` if nothing was attempted.
 */
export function deliverAtExit(backlog: Backlog, context: DeliveryContext): EndOfDelivery {
  const { options, world, check } = context;
  const { closeTimeoutMs, connection, token } = options;
  if (backlog.isEmpty || !isReachableByWorker(options)) return 'atExit';
  const waitMs = world.exit.timeLeft(closeTimeoutMs + START_ALLOWANCE_MS);
  if (waitMs <= 0) return 'atExit';
  const end = world.uptimeMs() + waitMs;
  const { followed, redactText } = check;
  const calling = { secrets: [token], redactText, followed, startTimeoutMs: waitMs };
  // No worker can be started without permission, for example.
  const caller = tryOr(undefined, () => world.openBlockingCaller(connection, calling));
  if (caller === undefined) return 'atExit';
  const deadline = Math.min(end, world.uptimeMs() + closeTimeoutMs);
  const result = deliver(backlog, context, caller, deadline);
  caller.close();
  return result;
}

type BlockingCaller = ReturnType<World['openBlockingCaller']>;

/**
 * Sends what the scheduler would send, but blocks this thread.
 *
 * @param deadline end of the last attempt, in milliseconds of {@link World.uptimeMs}.
 */
function deliver(
  backlog: Backlog,
  { options, policy, world, check }: DeliveryContext,
  caller: BlockingCaller,
  deadline: number,
): EndOfDelivery {
  const leftMs = (): number => deadline - world.uptimeMs();
  policy.isHurried = true;
  for (;;) {
    const shipment = backlog.next();
    if (shipment === undefined) {
      if (backlog.pack() === undefined) return 'gaveUp';
      continue;
    }
    const startedAt = world.uptimeMs();
    const calls = check.attempt(shipment.sent.encodeSync(options.compression));
    let next = calls.next();
    while (!next.done) {
      const timeoutMs = Math.min(options.requestTimeoutMs, leftMs(), attemptLimitMs(leftMs()));
      next = calls.next(replyTo(next.value, caller, Math.max(1, timeoutMs)));
    }
    const delay = backlog.settle(shipment, next.value, world.uptimeMs() - startedAt);
    if (delay === undefined) return 'gaveUp';
    const delayMs = delayBeforeDeadlineMs(delay, leftMs());
    if (delayMs + MIN_ATTEMPT_MS > leftMs()) return 'outOfTime';
    if (delayMs > 0) world.block(delayMs);
  }
}

function replyTo({ verb, path, headers = {}, body }: Call, caller: BlockingCaller, timeoutMs: number): Reply {
  try {
    return caller.call(verb, path, { body, headers, timeoutMs });
  } catch (error) {
    return { error };
  }
}

/** Worker threads have no access to the options `fetch` and `agent`, nor to undici's global dispatcher. */
export function isReachableByWorker({ connection, localServer }: ResolvedIngesterOptions): boolean {
  const { agent, fetch } = connection;
  if (localServer !== undefined) return true;
  return fetch === undefined && agent === undefined && !usesGlobalDispatcher(connection);
}
