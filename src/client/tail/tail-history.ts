import { LogOptionsException } from '../../core/errors.ts';
import { haveOwnIds, idOf, sortByTime, timeOf } from '../../core/event-order.ts';
import { type CallOptions, callOptionsOf } from '../../core/http/call-options.ts';
import { isTransientLater } from '../../core/http/transient.ts';
import type { QueryMetadata } from '../../core/wire/query.ts';
import type { QueryOptions } from '../query/query-options.ts';
import type { StaticQueryJob } from '../query/static-query-job.ts';
import { completeUntil } from './complete-until.ts';
import type { QuerySource } from './query-source.ts';
import { isJobGone, Reconnection } from './reconnection.ts';

/** The existing events that a tail starts with. */
export interface TailHistory<Row extends object> {
  /** Oldest first. */
  readonly events: readonly Row[];
  /** Time of the oldest returned event, or the start of the search; epoch milliseconds. Of older events, only new ones are returned. */
  readonly beginsAt: number;
  /** Time of the search, epoch milliseconds. Events that arrive later are new. */
  readonly queryEnd: number;
  /** IDs of the events with that time that are not returned. */
  readonly leftOut: readonly (string | undefined)[];
  /** Events that arrived up to this time, epoch milliseconds, were found. */
  readonly completeUntil: number;
}

/** Maximum number of attempts if the service loses the job. */
const MAX_ATTEMPTS = 5;

/** Maximum number of events with one time that are distinguished from late events. */
const MAX_SAME_TIME = 10_000;

/**
 * Fetches the newest `last` events of a query. Only the first connection must succeed.
 *
 * @throws LogOptionsException for events without `@id` or `@timestamp`, which can't be distinguished from new ones.
 */
export async function tailHistory<Row extends object>(
  source: QuerySource,
  queryString: string,
  { last, ...options }: QueryOptions & { last: number },
): Promise<TailHistory<Row>> {
  const reconnection = new Reconnection();
  let job: StaticQueryJob<Row> | undefined;
  for (let attempt = 0; ; attempt++) {
    try {
      const creation = job === undefined ? options : { ...options, maxRetries: 0 };
      job = await source.createQueryJob<Row>(queryString, { ...creation, isLive: false });
      return await newestEvents(job, last, callOptionsOf('tail', options), queryString);
    } catch (error) {
      options.signal?.throwIfAborted();
      const canResume = job !== undefined && (isTransientLater(error) || isJobGone(error));
      if (!canResume || attempt + 1 >= MAX_ATTEMPTS) throw error;
      await reconnection.wait(error, { signal: options.signal });
    }
  }
}

async function newestEvents<Row extends object>(
  job: StaticQueryJob<Row>,
  last: number,
  call: CallOptions,
  queryString: string,
): Promise<TailHistory<Row>> {
  try {
    let events: Row[] = [];
    let queryStart = Number.NEGATIVE_INFINITY;
    let queryEnd = Number.POSITIVE_INFINITY;
    let until = Number.POSITIVE_INFINITY;
    for await (const result of job.pollUntilDone(call)) {
      queryStart = Math.max(queryStart, result.metadata.queryStart);
      queryEnd = Math.min(queryEnd, result.metadata.queryEnd);
      until = Math.min(until, completeUntil(result.metadata));
      for (const event of result.events) events.push(event);
      // Some functions, such as `sort()`, return events, newest first here; rows of other functions are not events.
      const areEvents = events.every((row) => idOf(row) !== undefined);
      if (result.metadata.isAggregate) events = areEvents ? sortByTime(events).reverse() : [];
      requirePlaces(events, queryString);
      if (hasEnough(events, last)) break;
    }
    return { ...cut(events, last, { queryStart, queryEnd }), queryEnd, completeUntil: until };
  } finally {
    void job[Symbol.asyncDispose](call);
  }
}

function requirePlaces(events: readonly object[], queryString: string): void {
  if (events.length === 0 || haveOwnIds(events, queryString)) return;
  throw new LogOptionsException(
    'tail: "last" needs the @id and the @timestamp of every event, to separate existing events from new ones. Keep both in the query, as in select([@id, @timestamp, …]), or omit "last".',
  );
}

/** Whether the result has all events to return, and all others with the time of the oldest one. */
function hasEnough(newestFirst: readonly object[], last: number): boolean {
  if (newestFirst.length < last) return false;
  if (last === 0 || newestFirst.length >= last + MAX_SAME_TIME) return true;
  const [oldestShown, oldest] = [newestFirst[last - 1], newestFirst.at(-1)];
  return oldestShown !== undefined && oldest !== undefined && timeOf(oldest) < timeOf(oldestShown);
}

function cut<Row extends object>(
  newestFirst: readonly Row[],
  last: number,
  { queryStart, queryEnd }: Pick<QueryMetadata, 'queryStart' | 'queryEnd'>,
): Omit<TailHistory<Row>, 'queryEnd' | 'completeUntil'> {
  const events = newestFirst.slice(0, last).reverse();
  const oldest = newestFirst[last - 1];
  if (oldest === undefined) return { events, beginsAt: last === 0 ? queryEnd : queryStart, leftOut: [] };
  const beginsAt = timeOf(oldest);
  const leftOut = newestFirst.slice(last).filter((event) => timeOf(event) === beginsAt);
  return { events, beginsAt, leftOut: leftOut.map(idOf) };
}
