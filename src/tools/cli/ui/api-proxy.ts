import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../../../core/errors.ts';
import { PAGE_OPERATIONS } from '../../../core/wire/page-operations.ts';
import type { WebResponse } from '../../../index.ts';
import { parse, QuerySyntaxError } from '../../../language/index.ts';
import type { ConnectionSettings } from '../../settings/connection-settings.ts';
import { describeFailure } from '../../settings/failure.ts';
import type { Service } from '../../settings/service.ts';

/** A response of the proxy itself. */
export class ApiProxyError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type ApiProxyOptions = Pick<Service, 'client' | 'settings'>;

interface Route {
  readonly method: string;
  readonly path: RegExp;
  /** Whether the response may be slow or endless. */
  readonly isStream?: boolean;
  readonly check?: (body: Readonly<Record<string, unknown>>, settings: ConnectionSettings) => void;
}

/** The part of the API that the page uses. */
const ROUTES: readonly Route[] = [
  { method: 'POST', path: /^graphql$/, check: checkOperation },
  { method: 'POST', path: /^api\/v1\/repositories\/[^/]+\/queryjobs$/, check: checkQuery },
  { method: 'GET', path: /^api\/v1\/repositories\/[^/]+\/queryjobs\/[^/]+$/ },
  { method: 'DELETE', path: /^api\/v1\/repositories\/[^/]+\/queryjobs\/[^/]+$/ },
  { method: 'POST', path: /^api\/v1\/repositories\/[^/]+\/query$/, isStream: true },
];

/** APIs that Next-Gen SIEM doesn't have. */
const LOGSCALE_ONLY = /^graphql$|\/query$/;

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Forwards a request of the page to the service, with the credentials of the client. Sends the response as it arrives.
 *
 * @param path normalized, without a leading slash.
 * @throws ApiProxyError for a request that the page doesn't send, and for a failed one
 */
export async function forward(
  { client, settings }: ApiProxyOptions,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET' } = request;
  const route = ROUTES.find((each) => each.method === method && each.path.test(path));
  if (route === undefined) throw new ApiProxyError(403, `logclient ui does not forward ${method} /${path}.`);
  if (settings.service === 'ngsiem' && LOGSCALE_ONLY.test(path)) {
    throw new ApiProxyError(404, 'Next-Gen SIEM has no GraphQL and no streaming queries.');
  }
  const data = method === 'POST' ? await readJson(request) : undefined;
  if (data !== undefined) route.check?.(data, settings);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const answer = await client.webCaller.callPath(method, path, {
      ...(data === undefined ? {} : { data }),
      headers: { accept: request.headers.accept ?? 'application/json' },
      stream: route.isStream ?? false,
      maxRetries: 0, // The page retries.
      signal: gone.signal,
    });
    await send(answer, response, gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) throw failureOf(error, settings);
  }
}

async function send(answer: WebResponse, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const type = answer.header('content-type') ?? 'application/octet-stream';
  response.writeHead(answer.statusCode, { ...PROXY_HEADERS, 'content-type': type });
  response.flushHeaders();
  for await (const chunk of answer.body) {
    if (!response.write(chunk)) await once(response, 'drain', { signal });
  }
  response.end();
}

function failureOf(error: unknown, settings: ConnectionSettings): unknown {
  const { message } = describeFailure(error, settings) as Error;
  if (error instanceof LogConnectionException) return new ApiProxyError(502, message);
  if (error instanceof LogTimeoutException) return new ApiProxyError(504, message);
  if (!(error instanceof LogHTTPException)) return error;
  const { statusCode, body } = error;
  // The page asks for another link after a 401, which is about its own token.
  if (statusCode === 401 || error.code === 'LOG_AUTHENTICATION') return new ApiProxyError(403, message);
  // The page detects a missing API by its 404.
  if (error.code === 'LOG_WRONG_BASE_URL') return new ApiProxyError(502, message);
  // With the message of the service, the page can underline the error.
  if (statusCode === 400 || statusCode === 404) return new ApiProxyError(statusCode, body || message);
  return new ApiProxyError(statusCode < 400 ? 502 : statusCode, message);
}

/** For every response that isn't a file of the page. */
export const PROXY_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > MAX_BODY_BYTES) {
    throw new ApiProxyError(413, `The request is larger than ${MAX_BODY_BYTES} bytes.`);
  }
  try {
    const body: unknown = JSON.parse((await buffer(request)).toString('utf8'));
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {}
  throw new ApiProxyError(400, 'The request body must be a JSON object.');
}

/** Other operations could read tokens, or delete data. */
function checkOperation({ query }: Readonly<Record<string, unknown>>): void {
  if (Object.values(PAGE_OPERATIONS).some((known) => known === query)) return;
  throw new ApiProxyError(403, 'logclient ui forwards only the GraphQL operations of its page.');
}

/** Next-Gen SIEM reports no errors in queries. */
function checkQuery(
  { queryString }: Readonly<Record<string, unknown>>,
  { service }: ConnectionSettings,
): void {
  if (service !== 'ngsiem' || typeof queryString !== 'string' || queryString.trim() === '') return;
  try {
    parse(queryString);
  } catch (error) {
    if (error instanceof QuerySyntaxError) throw new ApiProxyError(400, `${error.message}\n${error.excerpt}`);
    throw error;
  }
}
