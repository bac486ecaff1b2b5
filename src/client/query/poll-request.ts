import {
  LogHTTPException,
  LogQueryJobCancelledException,
  LogQueryJobExpiredException,
} from '../../core/errors.ts';
import { type CallOptions, resolveCallOptions } from '../../core/http/call-options.ts';
import { path } from '../../core/http/path.ts';
import { badAnswer, serviceIds, type WebResponse } from '../../core/http/web-response.ts';
import { isJsonObject } from '../../core/json-object.ts';
import { requireFunction } from '../../core/option-checks.ts';
import type { QueryJobPoll, QueryMetadata } from '../../core/wire/query.ts';
import type { PollResult } from './poll-result.ts';
import { type QueryScope, withSession } from './query-endpoint.ts';

/** Jobs expire if they are not polled, on some editions of the service after 30 s. */
const MAX_POLL_WAIT_MS = 25_000;

/** Applies if the service sets no interval. */
const DEFAULT_POLL_WAIT_MS = 1_000;

/** Lower bound for the service's interval, which may be 0. */
const MIN_POLL_WAIT_MS = 5;

/** How polls, and the queries for further pages, are retried. */
export const POLL_RETRIES = { maxRetries: 4 } as const;

export interface PollRequestOptions extends CallOptions {
  /** Called with the error of a failed request before a retry. If the function throws, the call rejects with its error. */
  onRetry?: ((error: unknown) => void) | undefined;
}

/** Options of `poll()` and `pollUntilDone()`. */
export interface PollOptions extends PollRequestOptions {
  /**
   * Called with each result, including the last one. The `progress` of a result is the fraction of the time range
   * that has been searched. If the function throws, the call rejects with its error.
   */
  onProgress?: ((result: PollResult<object>) => void) | undefined;
}

/** Validates the options of a method that polls. @param hooks those that are functions. @throws LogOptionsException */
export function resolvePollOptions(
  owner: string,
  options: PollOptions,
  hooks: readonly ('onProgress' | 'onRetry')[] = ['onProgress', 'onRetry'],
): PollOptions {
  const call: Record<string, unknown> = { ...resolveCallOptions(owner, options, hooks) };
  for (const name of hooks) call[name] = requireFunction(owner, name, options[name]);
  return call;
}

/**
 * Polls a query job, and retries transient failures.
 *
 * @throws LogQueryJobExpiredException
 * @throws LogQueryJobCancelledException
 */
export async function requestPoll(
  scope: QueryScope,
  jobId: string,
  { onRetry, ...options }: PollRequestOptions,
): Promise<QueryJobPoll> {
  try {
    return await scope.webCaller.readRest(
      'GET',
      jobPath(scope, jobId),
      withSession(scope, options),
      async (response) => requireResult(response, await response.json(), jobId),
      { ...POLL_RETRIES, onRetry },
    );
  } catch (error) {
    if (!isGone(error)) throw error;
    throw new LogQueryJobExpiredException(
      `The service no longer knows the query job ${jobId}: it expired, was deleted, or the service restarted. Create a new one.`,
      { cause: error, queryId: jobId, requestId: error.requestId },
    );
  }
}

/** Where a job is, relative to the REST API. */
export function jobPath({ repository }: QueryScope, jobId: string): string {
  return path`repositories/${repository}/queryjobs/${jobId}`;
}

/** Whether the service doesn't know the job. An HTML page with status 404 is not from the service. */
export function isGone(error: unknown): error is LogHTTPException {
  return error instanceof LogHTTPException && error.statusCode === 404 && error.code === 'LOG_NOT_FOUND';
}

/** A proxy can respond with JSON, too. */
function requireResult(response: WebResponse, answer: unknown, jobId: string): QueryJobPoll {
  const { done, cancelled, events, metaData } = (answer ?? {}) as Partial<QueryJobPoll>;
  if (cancelled === true) {
    const message = `The service canceled the query job ${jobId}.`;
    throw new LogQueryJobCancelledException(message, serviceIds(response));
  }
  const hasResult = Array.isArray(events) && events.every(isJsonObject) && isJsonObject(metaData);
  if (typeof done === 'boolean' && hasResult) return answer as QueryJobPoll;
  throw badAnswer(response, 'The response to the poll of a query job has no result.');
}

/** The delay before the next poll, in milliseconds: as requested by the service, within limits. */
export function pollWaitMs({ pollAfter }: QueryMetadata): number {
  const requestedMs = Number(pollAfter ?? Number.NaN);
  if (!(requestedMs >= 0)) return DEFAULT_POLL_WAIT_MS;
  return Math.min(Math.max(requestedMs, MIN_POLL_WAIT_MS), MAX_POLL_WAIT_MS);
}
