import { LogException, LogOptionsException, LogQueryJobExpiredException } from '../../core/errors.ts';
import { type CallOptions, callOptionsOf } from '../../core/http/call-options.ts';
import {
  refuseUnknownOptions,
  requireBoolean,
  requireFunction,
  requireInteger,
} from '../../core/option-checks.ts';
import { emitWarningOnce } from '../../core/process-warning.ts';
import { shortenText } from '../../core/shorten-text.ts';
import type { LogEvent, QueryInput, QueryWarning } from '../../core/wire/query.ts';
import { LiveQueryJob } from './live-query-job.ts';
import { newQueryJob } from './new-query-job.ts';
import { isPagingError } from './older-events.ts';
import type { PollResult } from './poll-result.ts';
import { pinned, type QueryScope } from './query-endpoint.ts';
import { type QueryOptions, resolveQueryInput } from './query-options.ts';
import { StaticQueryJob } from './static-query-job.ts';
import { canStream, streamedResult } from './streamed-result.ts';

/** Progress of a query. */
export interface QueryProgress {
  /** Searched share of the time range, from 0 to 1. Stays 1 while further rows are fetched; see `rows`. */
  readonly progress: number;
  /** Progress in units of the service. `totalWork` can be 0. */
  readonly workDone: number;
  readonly totalWork: number;
  /** Number of events found so far; for an aggregate, searched so far. */
  readonly processedEvents: number;
  /** Number of rows received so far. The total is not known in advance. */
  readonly rows: number;
  /** Reasons why the result is incomplete or uncertain. */
  readonly warnings: readonly QueryWarning[];
}

/** Options of `query()`. */
export interface RunQueryOptions extends QueryOptions {
  /** A live query never completes: use `tail()` or `watch()`. */
  isLive?: false | undefined;
  /**
   * Maximum number of rows, counted from the start of the result; for events, the newest are returned. With a limit,
   * events are fetched in pages of 200, and the query runs again for each page.
   *
   * @default Infinity, for all rows
   */
  limit?: number | undefined;
  /**
   * Called with each progress report from the service: first during the search, then for each 200 events. If the
   * function throws, the query ends with its error.
   */
  onProgress?: ((progress: QueryProgress) => void) | undefined;
  /**
   * Called with each warning of the service, such as that the result is incomplete. If the function throws, the query
   * ends with its error.
   *
   * @default a process warning (`LogclientQueryWarning`), once for each query
   */
  onWarning?: ((warning: QueryWarning) => void) | undefined;
}

/** Options of `queryJob()`. */
export interface QueryJobOptions {
  /** True if the job runs a live query. @default false */
  isLive?: boolean | undefined;
  /** `session` of the job that was created, if a load balancer needs it to find the node that runs the job. @default none */
  session?: string | undefined;
}

/** Creates a job on the service: a live one if the query is live. */
export async function createQueryJob<Row extends object = LogEvent>(
  scope: QueryScope,
  queryString: string,
  options: QueryOptions = {},
): Promise<StaticQueryJob<Row> | LiveQueryJob<Row>> {
  const input = resolveQueryInput('createQueryJob', queryString, options);
  const jobScope = pinned(scope, options.numbers);
  return newQueryJob(jobScope, input, callOptionsOf('createQueryJob', options), (id) =>
    input.isLive === true
      ? new LiveQueryJob<Row>(id, jobScope)
      : new StaticQueryJob<Row>(id, jobScope, input),
  );
}

/** A job that exists on the service. @throws LogOptionsException */
export function queryJob<Row extends object = LogEvent>(
  scope: QueryScope,
  id: string,
  options: QueryJobOptions = {},
): StaticQueryJob<Row> | LiveQueryJob<Row> {
  refuseUnknownOptions('queryJob', options, ['isLive', 'session']);
  const { isLive = false, session } = options;
  const Job = requireBoolean('queryJob', 'isLive', isLive) ? LiveQueryJob<Row> : StaticQueryJob<Row>;
  return new Job(id, session === undefined ? pinned(scope) : { ...scope, session });
}

/** The rows of a static query, all of them unless limited. Always deletes its job. */
export async function runQuery<Row extends object = LogEvent>(
  scope: QueryScope,
  queryString: string,
  options: RunQueryOptions = {},
): Promise<Row[]> {
  const input = resolveQueryInput('query', queryString, options, ['limit', 'onProgress', 'onWarning']);
  const { limit = Number.POSITIVE_INFINITY, onProgress, onWarning } = options;
  if (input.isLive === true) {
    throw new LogOptionsException(
      'query: a live query never completes. Use tail(), watch() or createQueryJob().',
    );
  }
  const maxRows = requireInteger('query', 'limit', limit, { min: 1, orInfinity: true });
  requireFunction('query', 'onProgress', onProgress);
  requireFunction('query', 'onWarning', onWarning);
  const call = callOptionsOf('query', options);
  const jobScope = pinned(scope, options.numbers);
  const job = await newQueryJob(jobScope, input, call, (id) => new StaticQueryJob<Row>(id, jobScope, input));
  try {
    return await allRows(job, { scope: jobScope, input, call, maxRows, onProgress, onWarning });
  } catch (error) {
    const { maxRetries = 0 } = options;
    if (!(error instanceof LogQueryJobExpiredException) || maxRetries === 0) throw error;
    return await runQuery(scope, queryString, { ...options, maxRetries: maxRetries - 1 });
  } finally {
    void job[Symbol.asyncDispose](call);
  }
}

interface Retrieval extends Pick<RunQueryOptions, 'onProgress' | 'onWarning'> {
  readonly scope: QueryScope;
  readonly input: QueryInput;
  readonly call: CallOptions;
  readonly maxRows: number;
}

async function allRows<Row extends object>(
  job: StaticQueryJob<Row>,
  { scope, input, call, maxRows, onProgress, onWarning = warn(input.queryString) }: Retrieval,
): Promise<Row[]> {
  const tell = ({ progress, metadata, warnings }: PollResult<object>, rows: number): void => {
    const { workDone, totalWork, processedEvents } = metadata;
    onProgress?.({ progress, workDone, totalWork, processedEvents, rows, warnings });
  };
  /** Further parts repeat warnings. */
  const known = new Set<string>();
  const warnOfNew = ({ warnings }: PollResult<object>): void => {
    for (const warning of warnings) {
      if (known.has(warning.message)) continue;
      known.add(warning.message);
      onWarning(warning);
    }
  };
  const onPart = (part: PollResult<object>): void => tell(part, Math.min(part.events.length, maxRows));
  const first = await job.poll({ ...call, onProgress: onPart });
  warnOfNew(first);
  const stream = (): Promise<Row[] | undefined> =>
    streamedResult(scope, input, { first, call, maxRows, onRows: (count) => tell(first, count) });
  if (job.hasMore && maxRows === Number.POSITIVE_INFINITY && canStream(scope)) {
    // A stream that fails leaves paging.
    const streamed = await stream().catch((error: unknown) => {
      if (!(error instanceof LogException)) throw error;
    });
    if (streamed !== undefined) return streamed;
  }
  const rows = first.events.slice(0, maxRows);
  try {
    while (job.hasMore && rows.length < maxRows) {
      const part = await job.poll(call);
      warnOfNew(part);
      for (const event of part.events.slice(0, maxRows - rows.length)) rows.push(event);
      tell(first, rows.length);
    }
    return rows;
  } catch (error) {
    if (!isPagingError(error)) throw error;
    const streamed = await stream();
    if (streamed === undefined) throw error;
    return streamed;
  }
}

/** Shows each warning of a query once. */
function warn(queryString: string): (warning: QueryWarning) => void {
  const shown = shortenText(queryString, 100);
  return ({ message }) =>
    emitWarningOnce(`${message}\n${queryString}`, `${message} (query: ${shown})`, 'LogclientQueryWarning');
}
