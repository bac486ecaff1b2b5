import { LogConnectionDroppedException, LogQueryException, LogTimeoutException } from '../errors.ts';
import { closableGenerator } from '../internal/closable-generator.ts';
import { delay } from '../internal/delay.ts';
import { forwardAbort } from '../internal/forward-abort.ts';
import { isTransient } from '../web/transient.ts';
import type { LogEvent } from '../wire/query.ts';
import { isJobGone } from './job-gone.ts';
import { NoEventsError, polledEvents } from './polled-events.ts';
import type { QuerySource } from './query-source.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';
import { tailHistory } from './tail-history.ts';
import { resolveTailOptions, type TailOptions, type TailPlan } from './tail-options.ts';
import { TailProgress } from './tail-progress.ts';

/** A connection that lasted this long was a good one: the next failure is a first failure again. */
const STABLE_AFTER_MS = 10_000;

/**
 * The events of a query as they arrive, each once, in the order in which the service sends them. Reconnects when the
 * connection breaks or is cut for being quiet, and asks for what was missed meanwhile; only the first connection has to
 * work. Ends with `signal` or with the loop.
 *
 * A query that can't be streamed, such as one with `selfJoinFilter()`, runs as a live job, and its events come in the
 * order of their time from one look at it to the next.
 *
 * The service is read as fast as the events are taken, and a little ahead. When it loses patience with a slow reader
 * and cuts the connection, the tail goes on with the event after the last one that was taken.
 *
 * Events are told apart by `@id`, the last 50,000 of them; a query that drops this field can repeat some after a
 * reconnection.
 *
 * @throws LogOptionsException at once; everything else while iterating. A LogQueryException for a query whose rows are
 * no events: `watch()` takes these.
 */
export function tail<Row extends object = LogEvent>(
  source: QuerySource,
  queryString: string,
  options: TailOptions = {},
): AsyncGenerator<Row, void, undefined> {
  const plan = resolveTailOptions(options);
  const closing = new AbortController();
  return closableGenerator(tailEvents<Row>(source, queryString, plan, closing), () => closing.abort());
}

async function* tailEvents<Row extends object>(
  source: QuerySource,
  queryString: string,
  plan: TailPlan,
  closing: AbortController,
): AsyncGenerator<Row, void, undefined> {
  const unlink = forwardAbort(plan.query.signal, closing);
  const { signal } = closing;
  const query = { ...plan.query, signal };
  try {
    if (signal.aborted) return;
    const progress = new TailProgress(plan);
    if (plan.last !== undefined) {
      const history = await tailHistory<Row>(source, queryString, {
        ...query,
        start: progress.historyStart,
        last: plan.last,
      });
      for (const event of history.events) {
        if (progress.takePast(event)) yield event;
        if (signal.aborted) return;
      }
      progress.endPast(history.beginsAt);
    }
    /** Why the query can't be streamed; from then on live jobs take its place. */
    let refusal: LogQueryException | undefined;
    let attempt = 0;
    for (let connections = 1; ; connections++) {
      const connectedAt = Date.now();
      const live = { ...query, start: progress.connect() };
      let failure: unknown;
      try {
        const events =
          refusal === undefined
            ? source.streamingQuery<Row>(queryString, { ...live, isLive: true })
            : polledEvents<Row>({ source, queryString, query: live, ...progress.forPolls });
        for await (const event of events) {
          attempt = 0;
          if (!progress.take(event)) continue;
          yield event;
          progress.wait();
        }
      } catch (error) {
        signal.throwIfAborted();
        const isRefused = error instanceof LogQueryException;
        if (connections === 1 && isRefused) {
          refusal = error;
          continue;
        }
        if (refusal !== undefined && (error instanceof NoEventsError || (connections === 2 && isRefused))) {
          throw withHint(refusal, error);
        }
        if (!canGoOn(error, progress.hasBegun)) throw error;
        failure = error;
      }
      progress.break();
      if (Date.now() - connectedAt >= STABLE_AFTER_MS) attempt = 0;
      const delayMs = reconnectDelayMs(attempt++, failure);
      plan.onReconnect({ attempt, delayMs, error: failure });
      await delay(delayMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    unlink();
  }
}

/** Before the first connection stood, only what a quiet one looks like is no reason to give up. */
function canGoOn(error: unknown, hasBegun: boolean): boolean {
  if (hasBegun) return isTransient(error) || isJobGone(error);
  return (
    error instanceof LogConnectionDroppedException || error instanceof LogTimeoutException || isJobGone(error)
  );
}

/** @param error what a live job says to a query that can't be streamed. */
function withHint(refusal: LogQueryException, error: Error): LogQueryException {
  if (!(error instanceof NoEventsError) && !/aggregat|live/i.test(refusal.message)) return refusal;
  const { statusCode, method, path, body } = refusal;
  return new LogQueryException(
    `${refusal.message}\ntail() takes queries whose rows are events, with their @id; use watch() for the others.`,
    { statusCode, method, path, body, cause: refusal },
  );
}
