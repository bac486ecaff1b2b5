import { LogException, LogOptionsException } from '../errors.ts';
import { describe, requireInteger, requireOptions } from '../internal/option-checks.ts';
import { type CallOptions, callOptionsOf } from '../web/call-options.ts';
import type { LogEvent, QueryInput } from '../wire/query.ts';
import { LiveQueryJob } from './live-query-job.ts';
import { newQueryJob } from './new-query-job.ts';
import type { PollResult } from './poll-result.ts';
import { pinned, type QueryScope } from './query-endpoint.ts';
import { type QueryOptions, resolveQueryInput } from './query-options.ts';
import { StaticQueryJob } from './static-query-job.ts';
import { streamedResult } from './streamed-result.ts';

/** Progress of a query. */
export interface QueryProgress {
  /** Searched share of the time range, from 0 to 1. Stays 1 while further rows are fetched; see `rows`. */
  readonly progress: number;
  /** Progress in units of the service. `totalWork` can be 0. */
  readonly workDone: number;
  readonly totalWork: number;
  /** Number of events that the service has searched. */
  readonly processedEvents: number;
  /** Number of rows received so far. The total is not known in advance. */
  readonly rows: number;
}

/** Options of `query()`. */
export interface RunQueryOptions extends QueryOptions {
  /**
   * Maximum number of rows, counted from the start of the result; for events, the newest are returned. Events are
   * fetched in pages of 200, and the query runs again for each page, so a limit saves both time and memory.
   *
   * @default Infinity, for all rows
   */
  limit?: number | undefined;
  /**
   * Called with each progress report from the service: first during the search, then for each page of 200 events. If
   * the function throws, the query ends with its error.
   */
  onProgress?: ((progress: QueryProgress) => void) | undefined;
}

/** Creates a job on the service: a live one if the query is live. */
export async function createQueryJob<Row extends object = LogEvent>(
  scope: QueryScope,
  queryString: string,
  options: QueryOptions = {},
): Promise<StaticQueryJob<Row> | LiveQueryJob<Row>> {
  const input = resolveQueryInput('createQueryJob', queryString, options);
  const jobScope = pinned(scope);
  return newQueryJob(jobScope, input, callOptionsOf('createQueryJob', options), (id) =>
    input.isLive === true
      ? new LiveQueryJob<Row>(id, jobScope)
      : new StaticQueryJob<Row>(id, jobScope, input),
  );
}

/** The rows of a static query, all of them unless limited. Always deletes its job. */
export async function runQuery<Row extends object = LogEvent>(
  scope: QueryScope,
  queryString: string,
  runOptions: RunQueryOptions = {},
): Promise<Row[]> {
  requireOptions('query', runOptions);
  const { limit, onProgress, ...options } = runOptions;
  const input = resolveQueryInput('query', queryString, options);
  if (input.isLive === true) {
    throw new LogOptionsException(
      'query: a live query never completes. Use tail(), watch() or createQueryJob().',
    );
  }
  const maxRows =
    limit === undefined
      ? Number.POSITIVE_INFINITY
      : requireInteger('query', 'limit', limit, { min: 1, orInfinity: true });
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new LogOptionsException(`query: "onProgress" must be a function (got ${describe(onProgress)}).`);
  }
  const call = callOptionsOf('query', options);
  const jobScope = pinned(scope);
  const job = await newQueryJob(jobScope, input, call, (id) => new StaticQueryJob<Row>(id, jobScope, input));
  try {
    const tell = (result: PollResult<object>, rows: number): void => onProgress?.(progressOf(result, rows));
    return await allRows(job, { scope: jobScope, input, call, maxRows, tell });
  } finally {
    await job[Symbol.asyncDispose]();
  }
}

interface Retrieval {
  readonly scope: QueryScope;
  readonly input: QueryInput;
  readonly call: CallOptions;
  readonly maxRows: number;
  readonly tell: (result: PollResult<object>, rows: number) => void;
}

async function allRows<Row extends object>(
  job: StaticQueryJob<Row>,
  { scope, input, call, maxRows, tell }: Retrieval,
): Promise<Row[]> {
  const onProgress = (result: PollResult<object>): void =>
    tell(result, Math.min(result.events.length, maxRows));
  const first = await job.poll({ ...call, onProgress });
  const rows = first.events.slice(0, maxRows);
  try {
    while (job.hasMore && rows.length < maxRows) {
      const { events } = await job.poll(call);
      for (const event of events.slice(0, maxRows - rows.length)) rows.push(event);
      tell(first, rows.length);
    }
    return rows;
  } catch (error) {
    if (!(error instanceof LogException) || error.code !== 'LOG_CANNOT_PAGE') throw error;
    const streamed = await streamedResult(scope, input, { first, call, maxRows });
    if (streamed === undefined) throw error;
    tell(first, streamed.length);
    return streamed;
  }
}

function progressOf({ progress, metadata }: PollResult<object>, rows: number): QueryProgress {
  const { workDone, totalWork, processedEvents } = metadata;
  return { progress, workDone, totalWork, processedEvents, rows };
}
