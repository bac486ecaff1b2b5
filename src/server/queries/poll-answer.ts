import type { SearchDomain } from '../search-domain.ts';
import type { JobState, QueryJob } from './query-job.ts';
import type { QueryRequest } from './query-request.ts';
import { usedFile } from './repository-library.ts';
import type { ResultPage } from './result-page.ts';
import { type RowFormat, separatedRow } from './row-format.ts';

/**
 * When a client should poll again, in milliseconds: soon while the job runs; often for live queries, whose results
 * change.
 */
const POLL_AFTER_MS = { running: 50, done: 1000, live: 200, liveAtMost: 10_000 };

/** The response to a poll, without its rows. */
export function pollAnswerFormat(job: QueryJob, state: JobState, page: ResultPage, now: number): RowFormat {
  const { done, cancelled, problem } = state;
  const warnings = [...(problem === undefined ? [] : [problem]), ...(state.result?.warnings ?? [])];
  const head = JSON.stringify({ cancelled, done }).slice(0, -1);
  const tail = JSON.stringify({
    metaData: metaDataOf(job, state, page, now, warnings),
    warnings: warnings.map((message) => ({ code: 'LocalServer', message, category: 'QUERY_STATE' })),
    filterMatches: [],
    filesUsed: filesUsed(job.request, job.repository),
  }).slice(1);
  return {
    contentType: 'application/json',
    head: `${head},"events":[`,
    row: separatedRow(','),
    tail: `],${tail}`,
  };
}

function metaDataOf(
  { request, createdAt, repository, costs, totalCosts }: QueryJob,
  { done, result, window, totalWork, workDone, computedMs, queuedMs, completeUntil, readShare }: JobState,
  page: ResultPage,
  now: number,
  warnings: readonly string[],
): Record<string, unknown> {
  const { store } = repository;
  const { plan, isLive } = request;
  const spent = costs.spent(now);
  const bytesPerEvent = store.count === 0 ? 0 : store.bytes / store.count;
  return {
    eventCount: page.total,
    isAggregate: plan.isAggregate,
    pollAfter: pollAfter(done, isLive, computedMs),
    extraData: result?.extraData ?? (plan.isAggregate ? {} : { hasMoreEvents: 'false' }),
    ...(result?.fieldOrder === undefined ? {} : { fieldOrder: result.fieldOrder }),
    filterQuery: {
      queryString: plan.filterQueryString,
      start: window.start,
      end: window.end,
      // The service reports the filter part of a live query as static.
      isLive: false,
      ...request.flags,
    },
    queryStart: window.start,
    queryEnd: window.end,
    readShare,
    ...(completeUntil !== undefined && {
      digestFlow: {
        minIngestTimeIncluded: completeUntil,
        ingestTimeKnownGood: completeUntil,
        maxIngestLatency: 0,
      },
    }),
    processedBytes: Math.round(workDone * bytesPerEvent),
    // The service's guide to paging reads this as the number of matches.
    processedEvents: result?.matches ?? workDone,
    resultBufferSize: result?.rows.length ?? 0,
    timeMillis: Math.max(0, now - createdAt),
    queuedMillis: Math.max(0, queuedMs),
    querySpent: spent,
    costs: {
      liveCost: spent.day.liveCost,
      staticCost: spent.day.staticCost,
      // The unit of the rates is not documented; here it is a minute.
      liveCostRate: spent.oneMinute.liveCost,
      staticCostRate: spent.oneMinute.staticCost,
    },
    quotaTotalSpent: totalCosts.spent(now),
    totalWork,
    workDone,
    warnings,
  };
}

/** Live queries that are slow to compute are polled less often, to leave most of the time for others. */
function pollAfter(done: boolean, isLive: boolean, computedMs: number): number {
  if (!done) return POLL_AFTER_MS.running;
  if (!isLive) return POLL_AFTER_MS.done;
  return Math.round(Math.min(POLL_AFTER_MS.liveAtMost, Math.max(POLL_AFTER_MS.live, 4 * computedMs)));
}

/** The lookup files of a query, without those that changed after compilation. */
function filesUsed({ isLive, plan, freshPlan }: QueryRequest, repository: SearchDomain): object[] {
  const { files } = isLive ? freshPlan() : plan;
  return [...files].flatMap(([fileName, table]) => {
    const file = usedFile(repository, fileName);
    if (file === undefined || file.table !== table) return [];
    const { name, contentHash, modifiedAt } = file;
    return { name, contentHash, modifiedTimestamp: Date.parse(modifiedAt), tableType: 'File' };
  });
}
