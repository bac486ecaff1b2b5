import { LogHTTPException, LogQueryJobCancelledException, LogQueryJobExpiredException } from '../errors.ts';
import { isJsonObject } from '../internal/json-object.ts';
import type { CallOptions } from '../web/call-options.ts';
import { path } from '../web/path.ts';
import { badAnswer, type WebResponse } from '../web/web-response.ts';
import type { QueryJobPoll, QueryMetadata } from '../wire/query.ts';
import { type QueryScope, withSession } from './query-endpoint.ts';
import { retry } from './retry.ts';

/** A job that nobody polls is dropped, by some editions of the service after 30 s. */
const MAX_POLL_WAIT_MS = 25_000;

/** Where the service says nothing of use. */
const DEFAULT_POLL_WAIT_MS = 1_000;

/** A floor under what the service says, so that a 0 does not make us spin. */
const MIN_POLL_WAIT_MS = 5;

/** How often a failed poll is repeated. */
const MAX_REPEATS = 4;

export interface PollRequestOptions extends CallOptions {
  /**
   * Called with the error of a failed request before a retry. If the function throws, the call rejects with its error.
   */
  onRetry?: ((error: unknown) => void) | undefined;
}

/**
 * Asks for the state of a query job; repeatedly, if something on the way is out of order for a moment.
 *
 * @throws LogQueryJobExpiredException
 * @throws LogQueryJobCancelledException
 */
export async function requestPoll(
  scope: QueryScope,
  jobId: string,
  { onRetry, ...options }: PollRequestOptions,
): Promise<QueryJobPoll> {
  const call = withSession(scope, options);
  const ask = async (): Promise<QueryJobPoll> => {
    const response = await scope.webCaller.callRest('GET', jobPath(scope, jobId), call);
    return requireResult(response, await response.json(), jobId);
  };
  try {
    return await retryPoll(ask, { ...options, onRetry });
  } catch (error) {
    throw isGone(error) ? expired(jobId, error) : error;
  }
}

/** Makes a request that belongs to a poll, and retries it. */
export function retryPoll<T>(call: () => Promise<T>, { signal, onRetry }: PollRequestOptions): Promise<T> {
  return retry(call, { maxRepeats: MAX_REPEATS, maxWaitMs: MAX_POLL_WAIT_MS, signal, onRetry });
}

/** Where a job is, relative to the REST API. */
export function jobPath({ repository }: QueryScope, jobId: string): string {
  return path`repositories/${repository}/queryjobs/${jobId}`;
}

/** Whether the service does not know a job. A web page with status 404 comes from somewhere else than the service. */
export function isGone(error: unknown): boolean {
  return error instanceof LogHTTPException && error.statusCode === 404 && error.code === 'LOG_HTTP';
}

function expired(jobId: string, cause: unknown): LogQueryJobExpiredException {
  return new LogQueryJobExpiredException(
    `The service no longer knows the query job ${jobId}: it expired, was deleted, or the service restarted. Create a new one.`,
    { cause },
  );
}

/** Something else than the service, such as a proxy, can answer in JSON too. */
function requireResult(response: WebResponse, answer: unknown, jobId: string): QueryJobPoll {
  const { done, cancelled, events, metaData } = (answer ?? {}) as Partial<QueryJobPoll>;
  if (cancelled === true) {
    throw new LogQueryJobCancelledException(`The service canceled the query job ${jobId}.`);
  }
  const hasResult = Array.isArray(events) && events.every(isJsonObject) && isJsonObject(metaData);
  if (typeof done === 'boolean' && hasResult) return answer as QueryJobPoll;
  throw badAnswer(response, 'The response to the poll of a query job has no result.');
}

/** How long to wait before the next poll, in milliseconds: as the service says, within reason. */
export function pollWaitMs({ pollAfter }: QueryMetadata): number {
  const saidMs = Number(pollAfter ?? Number.NaN);
  if (!(saidMs >= 0)) return DEFAULT_POLL_WAIT_MS;
  return Math.min(Math.max(saidMs, MIN_POLL_WAIT_MS), MAX_POLL_WAIT_MS);
}
