import { sortByTime, timeOf } from '../../core/event-order.ts';
import { callOptionsOf } from '../../core/http/call-options.ts';
import type { TimeInterval } from '../query/event-slices.ts';
import { isPagingError } from '../query/older-events.ts';
import type { PollResult } from '../query/poll-result.ts';
import type { TailedQuery } from './tail-progress.ts';

/** Maximum number of missed events to fetch. */
const MAX_MISSED_EVENTS = 10_000;

/** The rows of the query are not events. */
export class NoEventsError extends Error {}

/**
 * The events of one live query job as they arrive, oldest first, for queries that can't be streamed. A live job shows
 * its current result, of a filter query the newest 200 events. A static job fetches events that were displaced between
 * two polls.
 *
 * @param options whose query includes the `start` of the job
 * @throws NoEventsError for rows without `@id`, such as those of an aggregate function, or if the query may write it
 */
export async function* polledEvents<Row extends object>(
  options: TailedQuery,
): AsyncGenerator<readonly Row[], void, undefined> {
  const { source, queryString, query, progress } = options;
  const call = callOptionsOf('tail', query);
  const job = await source.createQueryJob<Row>(queryString, { ...query, isLive: true });
  progress.markAlive();
  try {
    for (;;) {
      const result = await job.poll(call);
      progress.markResult();
      if (!result.events.every((event) => progress.idOf(event) !== undefined)) throw new NoEventsError();
      const unseen = result.events.filter((event) => !progress.hasSeen(event));
      const gap = gapBefore(result, unseen.length, progress.reachedMs);
      const missed = gap === undefined ? [] : await missedEvents<Row>(options, result, gap);
      const rows = [...unseen, ...missed];
      // Oldest first; events with the same time in order of arrival.
      yield sortByTime(result.metadata.isAggregate ? rows : rows.reverse());
    }
  } finally {
    void job[Symbol.asyncDispose](call);
  }
}

/** The time between the newest known event and the oldest event of the result, if events may be missing there. */
function gapBefore(
  { events, metadata }: PollResult<object>,
  unseen: number,
  reached: number,
): TimeInterval | undefined {
  // If one event is known, all newer ones are here.
  if (events.length === 0 || unseen < events.length) return undefined;
  // An aggregate doesn't report omitted rows; before the start of the tail, none are missing.
  if (
    metadata.isAggregate ? !(reached >= metadata.queryStart) : metadata.extraData?.hasMoreEvents !== 'true'
  ) {
    return undefined;
  }
  const from = Math.max(reached, metadata.queryStart);
  const to = Math.min(...events.map((event) => timeOf(event)));
  return from < to ? { from, to } : undefined;
}

/** Fetches events that were displaced from a result, newest first. Reports those that can't be fetched. */
async function missedEvents<Row extends object>(
  { source, queryString, query, progress }: TailedQuery,
  { metadata }: PollResult<Row>,
  { from, to }: TimeInterval,
): Promise<Row[]> {
  if (metadata.isAggregate) {
    progress.onSkip({ from, to, reason: 'resultLimit' });
    return [];
  }
  // Uses the same interval, because the result for an event may depend on others; its newest events are known.
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
      progress.onSkip({ from, to: oldest, reason: 'resultLimit' });
      return missed;
    }
  } catch (error) {
    if (!isPagingError(error)) throw error;
    progress.onSkip({ from, to: oldest, reason: 'resultLimit' });
  } finally {
    void job[Symbol.asyncDispose](callOptionsOf('tail', query));
  }
  return missed;
}
