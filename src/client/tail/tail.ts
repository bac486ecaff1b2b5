import { LogOptionsException } from '../../core/errors.ts';
import { ItemsOfBatches } from '../../core/items-of-batches.ts';
import type { LogEvent } from '../../core/wire/query.ts';
import { resolveQueryInput } from '../query/query-options.ts';
import type { StreamingQueryOptions } from '../query/streaming-query.ts';
import type { QuerySource } from './query-source.ts';
import { TailConnections, type TailConnectionsOptions } from './tail-connections.ts';
import { tailHistory } from './tail-history.ts';
import { resolveTailOptions, type TailOptions, type TailPlan } from './tail-options.ts';
import { TailProgress } from './tail-progress.ts';

/**
 * See `LogClient.tail`. Events are identified by `@id`; a query that drops or may write it can repeat some after a
 * reconnection.
 *
 * @throws LogOptionsException immediately, or while iterating for events without the fields that `last` or `since`
 * need; all other errors while iterating. A LogQueryException for a query whose rows are not events: use `watch()`.
 */
export function tail<Row extends object = LogEvent>(
  source: QuerySource,
  queryString: string,
  options: TailOptions = {},
): AsyncGenerator<Row, void, undefined> {
  return tailOfPlan<Row>(source, queryString, resolveTailOptions(options));
}

/** A tail with validated options. */
export function tailOfPlan<Row extends object>(
  source: QuerySource,
  queryString: string,
  plan: TailPlan,
  { endsQuietly = true } = {},
): AsyncGenerator<Row, void, undefined> {
  const open = (signal: AbortSignal) => tailEvents<Row>(source, queryString, plan, signal);
  return new ItemsOfBatches(open, { signal: plan.query.signal, endsQuietly });
}

/**
 * The rows of a live streaming query, for services without streaming: a tail that throws if its signal aborts.
 * `timeoutMs` limits each of its requests.
 *
 * @throws LogOptionsException immediately; all other errors while iterating
 */
export function liveRows<Row extends object>(
  source: QuerySource,
  queryString: string,
  { idleTimeoutMs: _, ...options }: StreamingQueryOptions,
): AsyncGenerator<Row, void, undefined> {
  resolveQueryInput('streamingQuery', queryString, options);
  const { start = '24 hours', end: __, isLive: ___, ...query } = options;
  const { useIngestTime, ingestStart, ingestEnd } = query;
  if (useIngestTime === true || (ingestStart ?? ingestEnd) !== undefined) {
    throw new LogOptionsException(
      'streamingQuery: on Next-Gen SIEM, a live query can\'t have a range of ingest times. Use "start".',
    );
  }
  const plan = { ...resolveTailOptions({ start: String(start) }), query };
  return tailOfPlan<Row>(source, queryString, plan, { endsQuietly: false });
}

async function* tailEvents<Row extends object>(
  source: QuerySource,
  queryString: string,
  plan: TailPlan,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[], void, undefined> {
  const progress = new TailProgress(plan, queryString);
  const options = { source, queryString, query: { ...plan.query, signal }, plan, progress };
  yield await pastEvents<Row>(options);
  const connections = new TailConnections<Row>(options);
  for (;;) {
    let failure: unknown;
    try {
      for await (const events of connections.open()) {
        const unseen: Row[] = [];
        try {
          progress.take(events, unseen);
        } finally {
          if (unseen.length > 0) {
            connections.succeed();
            yield unseen;
            progress.wait();
          }
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
    await connections.prepareNext(failure);
  }
}

/** The existing events that the tail starts with, oldest first. */
async function pastEvents<Row extends object>(
  options: TailConnectionsOptions & { plan: TailPlan },
): Promise<Row[]> {
  const { source, queryString, query, plan, progress } = options;
  const { last } = plan;
  if (last === undefined) return [];
  const start = progress.historyStart;
  const history = await tailHistory<Row>(source, queryString, { ...query, start, last });
  const shown = history.events.filter((event) => progress.acceptHistory(event));
  progress.finishHistory(history);
  return shown;
}
