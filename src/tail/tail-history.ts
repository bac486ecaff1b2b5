import { delay } from '../internal/delay.ts';
import type { QueryOptions } from '../query/query-options.ts';
import type { StaticQueryJob } from '../query/static-query-job.ts';
import { type CallOptions, callOptionsOf } from '../web/call-options.ts';
import { isTransient } from '../web/transient.ts';
import { hasId, sortByTime, timeOf } from './event-place.ts';
import { isJobGone } from './job-gone.ts';
import type { QuerySource } from './query-source.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

/** The events that a tail begins with. */
export interface TailHistory<Row extends object> {
  /** Oldest first. */
  readonly events: readonly Row[];
  /** The earliest time of those shown, in epoch milliseconds, if there were older ones that are not. */
  readonly beginsAt: number;
}

/** How often the past is asked for again, when the service loses what it has found. */
const MAX_ATTEMPTS = 5;

/** Fetches the newest `last` events of a query. Only the first contact has to work. */
export async function tailHistory<Row extends object>(
  source: QuerySource,
  queryString: string,
  { last, ...options }: QueryOptions & { last: number },
): Promise<TailHistory<Row>> {
  let job: StaticQueryJob<Row> | undefined;
  for (let attempt = 0; ; attempt++) {
    try {
      job = await source.createQueryJob<Row>(queryString, { ...options, isLive: false });
      return await newestEvents(job, last, callOptionsOf(options));
    } catch (error) {
      options.signal?.throwIfAborted();
      const canGoOn = job !== undefined && (isTransient(error) || isJobGone(error));
      if (!canGoOn || attempt + 1 >= MAX_ATTEMPTS) throw error;
      await delay(reconnectDelayMs(attempt, error), options.signal);
    }
  }
}

async function newestEvents<Row extends object>(
  job: StaticQueryJob<Row>,
  last: number,
  call: CallOptions,
): Promise<TailHistory<Row>> {
  try {
    let events: Row[] = [];
    let queryEnd = Number.POSITIVE_INFINITY;
    for await (const result of job.pollUntilDone(call)) {
      queryEnd = Math.min(queryEnd, result.metadata.queryEnd);
      for (const event of result.events) events.push(event);
      if (result.metadata.isAggregate) events = eventsOf(events);
      if (events.length >= last) break;
    }
    const isComplete = events.length < last;
    const shown = events.slice(0, last).reverse();
    const oldest = shown.length === 0 ? queryEnd : timeOf(shown[0]!);
    return { events: shown, beginsAt: isComplete ? Number.NEGATIVE_INFINITY : oldest };
  } finally {
    await job[Symbol.asyncDispose]();
  }
}

/** Some functions, such as `sort()`, give events, newest first here; the rows of others are none. */
function eventsOf<Row extends object>(rows: Row[]): Row[] {
  return rows.every(hasId) ? sortByTime(rows).reverse() : [];
}
