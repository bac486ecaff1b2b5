import { LogConnectionDroppedException, LogQueryException, LogTimeoutException } from '../errors.ts';
import { closableGenerator } from '../internal/closable-generator.ts';
import { delay } from '../internal/delay.ts';
import { forwardAbort } from '../internal/forward-abort.ts';
import { requireInteger } from '../internal/option-checks.ts';
import type { QueryOptions } from '../query/query-options.ts';
import { isTransient } from '../web/transient.ts';
import type { LogEvent } from '../wire/query.ts';
import { type LiveQueryOptions, queryOptionsOf } from './live-query-options.ts';
import type { QuerySource } from './query-source.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';
import { relativeStartMs, toRelativeStart } from './relative-start.ts';
import { SeenEvents } from './seen-events.ts';
import { type TailHistory, tailHistory } from './tail-history.ts';
import { TailPosition } from './tail-position.ts';

export interface TailOptions extends LiveQueryOptions {
  /**
   * How far back the tail begins: a time before now such as `10 minutes`. Events that arrive late are seen as long as
   * they are not older than that.
   *
   * @default '1 minute', or '24 hours' together with `last`
   */
  start?: string | undefined;
  /** Begin with at most this many of the events that are there already, oldest first; 0 for new ones only. */
  last?: number | undefined;
}

/** How many events are remembered, to tell those that a new connection sends again. */
const SEEN_CAPACITY = 50_000;

/** A connection that lasted this long was a good one: the next failure is a first failure again. */
const STABLE_AFTER_MS = 10_000;

/**
 * The events of a query as they arrive, each once. Reconnects when the connection breaks or is cut for being quiet,
 * and asks for what was missed meanwhile; only the first connection has to work. Ends with `signal` or with the loop.
 *
 * Events are told apart by `@id`; a query that drops this field can repeat some after a reconnection.
 *
 * @throws LogOptionsException at once; everything else while iterating. A LogQueryException for an aggregate query:
 * `watch()` takes these.
 */
export function tail<Row extends LogEvent = LogEvent>(
  source: QuerySource,
  queryString: string,
  options: TailOptions = {},
): AsyncGenerator<Row, void, undefined> {
  const query = queryOptionsOf('tail', options, ['last']);
  const last = options.last === undefined ? undefined : requireInteger('tail', 'last', options.last);
  const start = options.start ?? (last === undefined ? '1 minute' : '24 hours');
  const plan: TailPlan = { source, queryString, query, last, startMs: relativeStartMs('tail', start) };
  const closing = new AbortController();
  return closableGenerator(tailEvents<Row>(plan, closing), () => closing.abort());
}

interface TailPlan {
  readonly source: QuerySource;
  readonly queryString: string;
  readonly query: QueryOptions;
  readonly last: number | undefined;
  readonly startMs: number;
}

async function* tailEvents<Row extends LogEvent>(
  plan: TailPlan,
  closing: AbortController,
): AsyncGenerator<Row, void, undefined> {
  const unlink = forwardAbort(plan.query.signal, closing);
  const query = { ...plan.query, signal: closing.signal };
  const seen = new SeenEvents(SEEN_CAPACITY);
  try {
    if (closing.signal.aborted) return;
    let history: TailHistory<Row> | undefined;
    const position = new TailPosition(plan.startMs, Date.now());
    if (plan.last !== undefined) {
      history = await tailHistory<Row>(plan.source, plan.queryString, {
        ...query,
        start: toRelativeStart(plan.startMs),
        last: plan.last,
      });
      for (const event of history.events) {
        seen.add(event['@id']);
        yield event;
        if (closing.signal.aborted) return;
      }
      position.skipHistory();
    }
    for await (const event of liveEvents<Row>({ ...plan, query }, position)) {
      if (history?.isBefore(event)) continue;
      if (seen.add(event['@id'])) yield event;
    }
  } catch (error) {
    if (!closing.signal.aborted) throw error;
  } finally {
    unlink();
  }
}

/** The events of one live connection after the other; those of an overlap come again. */
async function* liveEvents<Row extends LogEvent>(
  { source, queryString, query }: TailPlan,
  position: TailPosition,
): AsyncGenerator<Row, void, undefined> {
  let hasBegun = false;
  let attempt = 0;
  for (;;) {
    const connectedAt = Date.now();
    const start = toRelativeStart(position.connect(connectedAt));
    let waitingSince = connectedAt;
    let failure: unknown;
    try {
      for await (const event of source.streamingQuery<Row>(queryString, { ...query, start, isLive: true })) {
        hasBegun = true;
        attempt = 0;
        const now = Date.now();
        position.advance(now, now - waitingSince, event['@timestamp']);
        yield event;
        waitingSince = Date.now();
      }
    } catch (error) {
      query.signal?.throwIfAborted();
      if (!canGoOn(error, hasBegun)) throw withHint(error);
      failure = error;
    }
    hasBegun = true;
    const brokeAt = Date.now();
    position.break(brokeAt, brokeAt - waitingSince);
    if (brokeAt - connectedAt >= STABLE_AFTER_MS) attempt = 0;
    await delay(reconnectDelayMs(attempt++, failure), query.signal);
  }
}

/** Before the first connection stood, only what a quiet one looks like is no reason to give up. */
function canGoOn(error: unknown, hasBegun: boolean): boolean {
  if (hasBegun) return isTransient(error);
  return error instanceof LogConnectionDroppedException || error instanceof LogTimeoutException;
}

function withHint(error: unknown): unknown {
  if (!(error instanceof LogQueryException) || !/aggregat|live/i.test(error.message)) return error;
  const { statusCode, method, path, body } = error;
  return new LogQueryException(
    `${error.message}\ntail() takes queries without an aggregate function; use watch() for the others.`,
    { statusCode, method, path, body, cause: error },
  );
}
