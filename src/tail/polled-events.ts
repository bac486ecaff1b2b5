import { LogException } from '../errors.ts';
import { idOf, sortByTime, timeOf } from '../query/event-order.ts';
import type { PollResult } from '../query/poll-result.ts';
import type { QueryOptions } from '../query/query-options.ts';
import { callOptionsOf } from '../web/call-options.ts';
import type { QuerySource } from './query-source.ts';
import type { SeenEvents } from './seen-events.ts';
import type { TailSkip } from './tail-options.ts';

export interface PolledEventsOptions {
  readonly source: QuerySource;
  readonly queryString: string;
  /** With the `start` of the job. */
  readonly query: QueryOptions;
  /** What the tail has yielded; nothing of it is yielded again. */
  readonly seen: SeenEvents;
  /** The time of the newest event that the tail has come to, epoch milliseconds, or its beginning. */
  readonly reached: () => number;
  /** Called when the service has a job. */
  readonly onBegin: () => void;
  /** Called when the past is searched. */
  readonly onHistoryDone: () => void;
  readonly onSkip: (skip: TailSkip) => void;
}

/** How many events are fetched at most that a live job no longer shows. */
const MAX_MISSED_EVENTS = 10_000;

/** The rows of the query are no events. */
export class NoEventsError extends Error {}

/**
 * The events of one live query job as they arrive, oldest first, for queries that can't be streamed. A live job shows
 * its whole result again and again, and of a filter query the newest 200 events; what has fallen out of that between
 * two polls is fetched by a static job.
 *
 * @throws NoEventsError for rows without `@id`: those of an aggregate function
 */
export async function* polledEvents<Row extends object>(
  options: PolledEventsOptions,
): AsyncGenerator<Row, void, undefined> {
  const { source, queryString, query, seen, reached, onBegin, onHistoryDone } = options;
  const call = callOptionsOf('tail', query);
  const job = await source.createQueryJob<Row>(queryString, { ...query, isLive: true });
  onBegin();
  try {
    for (;;) {
      const result = await job.poll(call);
      onHistoryDone();
      if (!result.events.every((event) => idOf(event) !== undefined)) throw new NoEventsError();
      const unseen = result.events.filter((event) => !seen.has(idOf(event)));
      const gap = gapBefore(result, unseen.length, reached());
      const missed = gap === undefined ? [] : await missedEvents<Row>(options, result, gap);
      yield* inOrder([...unseen, ...missed], result.metadata.isAggregate);
    }
  } finally {
    await job[Symbol.asyncDispose]();
  }
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The time between what the tail has come to and what the result shows, if there may be events in it. */
function gapBefore(
  { events, metadata }: PollResult<object>,
  unseen: number,
  reached: number,
): Gap | undefined {
  // One that is known means that everything newer is here.
  if (events.length === 0 || unseen < events.length) return undefined;
  // An aggregate does not tell whether it has left out anything; a beginning without anything before it is none.
  if (
    metadata.isAggregate ? !(reached >= metadata.queryStart) : metadata.extraData?.hasMoreEvents !== 'true'
  ) {
    return undefined;
  }
  const from = Math.max(reached, metadata.queryStart);
  const to = Math.min(...events.map((event) => timeOf(event)));
  return from < to ? { from, to } : undefined;
}

/** What has fallen out of a result, newest first. What can't be had is reported. */
async function missedEvents<Row extends object>(
  { source, queryString, query, onSkip }: PolledEventsOptions,
  { metadata }: PollResult<Row>,
  { from, to }: Gap,
): Promise<Row[]> {
  if (metadata.isAggregate) {
    onSkip({ from, to, reason: 'resultLimit' });
    return [];
  }
  // The same interval, as what the query makes of an event may depend on others; its newest events are known already.
  const { queryStart: start, queryEnd: end } = metadata;
  const job = await source.createQueryJob<Row>(queryString, { ...query, start, end, isLive: false });
  const missed: Row[] = [];
  let oldest = to;
  try {
    for await (const { events } of job.pollUntilDone(callOptionsOf('tail', query))) {
      for (const event of events) {
        oldest = Math.min(oldest, timeOf(event));
        if (oldest < from) return missed;
        if (timeOf(event) <= to) missed.push(event);
      }
      if (missed.length < MAX_MISSED_EVENTS) continue;
      onSkip({ from, to: oldest, reason: 'resultLimit' });
      return missed;
    }
  } catch (error) {
    if (!(error instanceof LogException) || error.code !== 'LOG_CANNOT_PAGE') throw error;
    onSkip({ from, to: oldest, reason: 'resultLimit' });
  } finally {
    await job[Symbol.asyncDispose]();
  }
  return missed;
}

/** Oldest first; those of the same time as they arrived. */
function inOrder<Row extends object>(rows: Row[], isAggregate: boolean): Row[] {
  return sortByTime(isAggregate ? rows : rows.reverse());
}
