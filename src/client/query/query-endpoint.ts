import { randomHex } from '../../core/bytes.ts';
import { LogHTTPException, LogQueryException } from '../../core/errors.ts';
import type { AttemptOptions, CallOptions } from '../../core/http/call-options.ts';
import { REST_PREFIX, type RestCallOptions } from '../../core/http/http-caller.ts';
import { reasonInBody } from '../../core/http/http-error.ts';
import { path } from '../../core/http/path.ts';
import type { RepositoryScope } from '../../core/http/repository-scope.ts';
import { badAnswer, type WebResponse } from '../../core/http/web-response.ts';
import type { QueryInput, QueryJobCreated } from '../../core/wire/query.ts';

/** Where queries run. */
export interface QueryScope extends RepositoryScope {
  /** Any stable string, by which a load balancer sends all calls of one query to the same node. */
  readonly session?: string | undefined;
  /** Columns of rows whose values become numbers. */
  readonly numbers?: readonly string[] | undefined;
}

/** The same scope with its own session. */
export function pinned(scope: QueryScope, numbers = scope.numbers): QueryScope {
  return { ...scope, numbers, session: randomHex() };
}

/** The options of a call in the session of `scope`. */
export function withSession<Options extends CallOptions>({ session }: QueryScope, options: Options): Options {
  if (session === undefined) return options;
  return { ...options, headers: { 'humio-query-session': session, ...options.headers } };
}

/** Sends a query to the service. @throws LogQueryException if the service rejects the query itself. */
async function postQuery(
  { webCaller, repository, checkQuery }: QueryScope,
  endpoint: 'query' | 'queryjobs',
  input: QueryInput,
  options: RestCallOptions,
): Promise<WebResponse> {
  const target = path`repositories/${repository}/` + endpoint;
  // The original query was checked before a query for the events around one.
  if (checkQuery !== undefined && input.around === undefined) {
    const calledPath = new URL(`${webCaller.baseUrl}${REST_PREFIX}${target}`).pathname;
    await checkQuery(input, { method: 'POST', path: calledPath });
  }
  try {
    return await webCaller.callRest('POST', target, { ...options, data: input });
  } catch (error) {
    if (!(error instanceof LogHTTPException) || error.statusCode !== 400 || error.code !== 'LOG_HTTP')
      throw error;
    // A rejection by a proxy is not about the query.
    if (/^\s*</.test(error.body)) throw error;
    // The body is the service's explanation, including the invalid part of the query.
    throw new LogQueryException(reasonInBody(error.body) || error.message, { ...error });
  }
}

/** Creates a job. @returns its ID */
export async function postQueryJob(
  scope: QueryScope,
  input: QueryInput,
  options: AttemptOptions,
): Promise<string> {
  const response = await postQuery(scope, 'queryjobs', input, withSession(scope, options));
  const { id } = (await response.json<Partial<QueryJobCreated> | null>()) ?? {};
  if (typeof id === 'string' && id !== '') return id;
  throw badAnswer(response, 'The service created a query job but did not return its id.');
}

/** Starts a streaming query, whose response has one JSON object per line. */
export function postStreamingQuery(
  scope: QueryScope,
  input: QueryInput,
  options: RestCallOptions,
): Promise<WebResponse> {
  const headers = {
    accept: 'application/x-ndjson',
    // Compression buffers events, but those of a live query should arrive immediately.
    ...(input.isLive === true ? { 'accept-encoding': 'identity' } : {}),
    ...options.headers,
  };
  return postQuery(scope, 'query', input, { stream: true, ...options, headers });
}
