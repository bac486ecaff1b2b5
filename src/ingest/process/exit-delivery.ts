import { connectionProxy, usesGlobalDispatcher } from '../../core/http/node/connection-options.ts';
import { userAgent } from '../../core/http/user-agent.ts';
import { tryOr } from '../../core/try-or.ts';
import type { Backlog } from '../backlog.ts';
import type { EncodedBatch } from '../batch/encoded-batch.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { Dispatcher } from '../dispatcher.ts';
import type { EndOfDelivery } from '../failure-policy.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import { attemptLimitMs, type Delay, delayBeforeDeadlineMs, MIN_ATTEMPT_MS } from '../send/retry-backoff.ts';
import type { Call, Reply, SendOutcome } from '../send/sender.ts';
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
  const { options, world } = context;
  const { closeTimeoutMs } = options;
  if (backlog.isEmpty || !isReachableByWorker(options)) return 'atExit';
  const waitMs = world.exit.timeLeft(closeTimeoutMs + START_ALLOWANCE_MS);
  if (waitMs <= 0) return 'atExit';
  const end = world.uptimeMs() + waitMs;
  const caller = openCaller(context, waitMs);
  if (caller === undefined) return 'atExit';
  const deadline = Math.min(end, world.uptimeMs() + closeTimeoutMs);
  const result = new ExitDelivery(context, caller, deadline).run(backlog);
  caller.close();
  return result;
}

type BlockingCaller = ReturnType<World['openBlockingCaller']>;

/** Sends what the scheduler would send, but blocks this thread. */
class ExitDelivery {
  readonly #context: DeliveryContext;
  readonly #caller: BlockingCaller;
  /** End of the last attempt, in milliseconds of {@link World.uptimeMs}. */
  readonly #deadline: number;

  constructor(context: DeliveryContext, caller: BlockingCaller, deadline: number) {
    this.#context = context;
    this.#caller = caller;
    this.#deadline = deadline;
  }

  run(backlog: Backlog): EndOfDelivery {
    const { options, policy, world } = this.#context;
    const dispatcher = new Dispatcher(this.#context, backlog);
    policy.isHurried = true;
    for (;;) {
      const shipment = dispatcher.next();
      if (shipment === undefined) {
        if (backlog.pack() === undefined) return 'gaveUp';
        continue;
      }
      const startedAt = world.uptimeMs();
      const outcome = this.#send(shipment.sent.encodeSync(options.compression));
      const delay = dispatcher.settle(shipment, outcome, world.uptimeMs() - startedAt);
      if (delay === undefined) return 'gaveUp';
      if (!this.#pause(delay)) return 'outOfTime';
    }
  }

  #send(batch: EncodedBatch): SendOutcome {
    const calls = this.#context.check.attempt(batch);
    let next = calls.next();
    while (!next.done) next = calls.next(this.#call(next.value));
    return next.value;
  }

  #call({ verb, path, headers = {}, body }: Call): Reply {
    const leftMs = this.#leftMs;
    const { requestTimeoutMs } = this.#context.options;
    const timeoutMs = Math.max(1, Math.min(requestTimeoutMs, leftMs, attemptLimitMs(leftMs)));
    try {
      return this.#caller.call(verb, path, { body, headers, timeoutMs });
    } catch (error) {
      return { error };
    }
  }

  /** Waits before the next attempt. @returns whether there is time for one. */
  #pause(delay: Delay): boolean {
    const delayMs = delayBeforeDeadlineMs(delay, this.#leftMs);
    if (delayMs + MIN_ATTEMPT_MS > this.#leftMs) return false;
    if (delayMs > 0) this.#context.world.block(delayMs);
    return true;
  }

  get #leftMs(): number {
    return this.#deadline - this.#context.world.uptimeMs();
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
): BlockingCaller | undefined {
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
