import { abortable } from '../abortable.ts';
import { isUint8Array } from '../builtin-types.ts';
import { startDeadline } from '../deadline.ts';
import { delay } from '../delay.ts';
import { type LogException, type LogHTTPException, LogOptionsException } from '../errors.ts';
import {
  describe,
  refuseUnknownOptions,
  rejectPair,
  requireArray,
  requireText,
  resolveTimeout,
  wrongKind,
} from '../option-checks.ts';
import { sourceOf } from './address-source.ts';
import {
  ATTEMPT,
  type AttemptOptions,
  CALL_OPTION_NAMES,
  type CallOptions,
  callOptionsOf,
  resolveCallOptions,
} from './call-options.ts';
import type { FailedRequest } from './connection-error.ts';
import { type GraphqlCall, graphqlBody, graphqlData } from './graphql-call.ts';
import type { HttpAdapter, HttpResponse } from './http-adapter.ts';
import { isErrorAnswer, readExcerpt, toHttpException } from './http-error.ts';
import { messageRedactor, type RedactText, secretsOfHeaders } from './message-redactor.ts';
import { type FileUpload, multipartBody, requireUpload } from './multipart.ts';
import type { HttpProxy } from './proxy-error.ts';
import { endReporter, type OnRequest } from './request-report.ts';
import { type RetryPlan, retryWaitMs, withDoubt } from './retry.ts';
import { HttpWebResponse, type SentRequest, type WebResponse } from './web-response.ts';

type Replace = (name: string, value: unknown) => unknown;

/** Options of `callRest()` and `callPath()`. */
export interface RestCallOptions extends CallOptions {
  /**
   * Request body. Strings and bytes are sent as they are, other values as JSON. The content type is `application/json`
   * unless a header sets another.
   */
  data?: unknown;
  /** Files to send as `multipart/form-data`. Can't be combined with `data`. */
  files?: readonly FileUpload[] | undefined;
  /** Query parameters. Undefined values are omitted. */
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Treats the response as a stream: `timeoutMs` only covers the time until its headers arrive. */
  stream?: boolean | undefined;
  /**
   * Maximum time without a byte while a stream is read, in milliseconds. The body then fails with a
   * LogConnectionDroppedException. `Infinity` disables it.
   *
   * @default 300_000
   */
  idleTimeoutMs?: number | undefined;
}

/** Options of `callGraphql()`. */
export interface GraphqlCallOptions extends CallOptions, GraphqlCall {}

const REST_OPTION_NAMES = [...CALL_OPTION_NAMES, 'data', 'files', 'query', 'stream', 'idleTimeoutMs'];
const GRAPHQL_OPTION_NAMES = ['query', 'variables', 'operationName', 'data'];

/** A static query with an aggregate function has no row until it has read all events. */
export const STREAM_IDLE_MS = 300_000;

export const REST_PREFIX = 'api/v1/';
const GRAPHQL_PATH = 'graphql';

type Body = { readonly content: string | Uint8Array; readonly contentType: string } | undefined;

/** How a request is sent. */
export interface Route {
  readonly adapter: HttpAdapter;
  readonly proxy?: HttpProxy | undefined;
  /** Whether the option `ca` applies. */
  readonly acceptsCa: boolean;
}

/** Where requests go, and how. */
export interface Connection {
  /** Its path ends in a slash. */
  readonly baseUrl: URL;
  /** Timeout for one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Strings, such as tokens, to redact from all messages. Values of headers of a call are always redacted. */
  readonly secrets: readonly string[];
  /** Removes other secrets from messages. */
  readonly redactText?: RedactText | undefined;
  /** Maximum number of retries; `undefined` for the defaults of the calls. */
  readonly maxRetries?: number | undefined;
  /** Maximum `Retry-After` to wait for, in milliseconds, unless a call has a `timeoutMs`. @default 5 minutes */
  readonly maxRetryAfterMs?: number | undefined;
  /** Called after each attempt at a request. */
  readonly onRequest?: OnRequest | undefined;
  /** Whether timeouts and requests with a binary body let the process exit. */
  readonly background: boolean;
  /** Headers of every request, with lower-case names. */
  headers(): Readonly<Record<string, string>>;
  /** How to send a request. */
  route(url: URL): Route;
  /** The exception for a request without a response. */
  requestException(error: unknown, request: FailedRequest): LogException;
}

export interface OutgoingRequest extends AttemptOptions {
  readonly method: string;
  readonly url: URL;
  readonly body?: Body;
  readonly stream?: boolean | undefined;
}

/** A request and its response, whatever the status. */
export interface Exchange {
  readonly request: SentRequest;
  readonly response: HttpWebResponse;
}

/**
 * Sends single requests to the HTTP API of the service and converts failures to exceptions. Runs anywhere: the adapter
 * of its connection sends the requests.
 */
export class HttpCaller {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Address of the service, with a trailing slash. */
  get baseUrl(): string {
    return this.#connection.baseUrl.href;
  }

  /**
   * Calls the REST API. Only a GET is no change, which decides about retries (see `maxRetries`).
   *
   * @param verb the HTTP method.
   * @param endpoint the path below `{baseUrl}/api/v1/`, with its segments escaped.
   * @throws LogHTTPException for every unsuccessful response; redirects are not followed
   * @throws LogConnectionException
   * @throws LogTimeoutException
   */
  async callRest(
    verb: string,
    endpoint: string,
    options: RestCallOptions = {},
    ...more: never[]
  ): Promise<WebResponse> {
    refuseArguments('callRest', options, more);
    const path = requireText('callRest', 'endpoint', endpoint).replace(/^\/+/, '');
    if (path.startsWith(REST_PREFIX)) {
      const rest = path.slice(REST_PREFIX.length);
      throw new LogOptionsException(`callRest: endpoints are relative to /${REST_PREFIX}. Pass "${rest}".`);
    }
    return this.#call('callRest', verb, REST_PREFIX + path, options, REST_PREFIX);
  }

  /** Calls a path below `baseUrl`, with its segments escaped. @throws like {@link callRest} */
  async callPath(
    verb: string,
    path: string,
    options: RestCallOptions = {},
    ...more: never[]
  ): Promise<WebResponse> {
    refuseArguments('callPath', options, more);
    return this.#call('callPath', verb, path, options);
  }

  /**
   * Calls the GraphQL API.
   *
   * @returns `data` of the response.
   * @throws LogHTTPException as {@link callRest}, and with the code `LOG_GRAPHQL` for errors in the response.
   */
  async callGraphql<T = unknown>(options: GraphqlCallOptions): Promise<T> {
    const call = resolveCallOptions('callGraphql', options, GRAPHQL_OPTION_NAMES);
    const body = graphqlBody(options);
    const send = async (attempt: AttemptOptions): Promise<T> => {
      const response = await this.#call('callGraphql', 'POST', GRAPHQL_PATH, { ...attempt, data: body });
      return graphqlData<T>(response, this.#redactor(call.headers));
    };
    return this.retry(call, send, { isChange: /\bmutation\b/.test(body.query) });
  }

  /**
   * Runs a call of a client, and repeats it as its options, the client and `plan` say.
   *
   * @param call makes one request with the given options, and reads its response.
   */
  async retry<T>(
    { maxRetries = this.#connection.maxRetries, ...options }: CallOptions,
    call: (options: AttemptOptions) => Promise<T>,
    plan: RetryPlan = {},
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call({ ...options, [ATTEMPT]: attempt });
      } catch (error) {
        const isLast = attempt > (maxRetries ?? plan.maxRetries ?? 2);
        const longestMs = options.timeoutMs ?? this.#connection.maxRetryAfterMs;
        const waitMs = isLast ? undefined : retryWaitMs(attempt - 1, error, plan, longestMs);
        if (waitMs === undefined)
          throw plan.isChange && !this.#connection.background ? withDoubt(error) : error;
        plan.onRetry?.(error);
        await delay(waitMs, options.signal);
      }
    }
  }

  /** Calls the REST API, reads the response with `read`, and retries. Only a GET is no change by default. */
  readRest<T, Options extends CallOptions & RestCallOptions>(
    verb: string,
    endpoint: string,
    options: Options,
    read: (response: WebResponse) => Promise<T>,
    plan?: RetryPlan,
  ): Promise<T> {
    const attempt = async (call: AttemptOptions): Promise<T> =>
      read(await this.callRest(verb, endpoint, call));
    return this.retry(options, attempt, { isChange: verb !== 'GET', ...plan });
  }

  async #call(
    owner: string,
    verb: string,
    path: string,
    options: RestCallOptions & AttemptOptions,
    prefix = '',
  ): Promise<WebResponse> {
    const { timeoutMs = this.#connection.timeoutMs, signal, headers } = callOptionsOf(owner, options);
    if (options[ATTEMPT] === undefined) {
      const send = (call: AttemptOptions): Promise<WebResponse> =>
        this.#call(owner, verb, path, call, prefix);
      return this.retry(options, send, { isChange: !/^get$/i.test(verb) });
    }
    const exchange = await this.exchange({
      method: requireText(owner, 'verb', verb).toUpperCase(),
      url: this.#url(path, prefix, options.query),
      body: encodeBody(owner, options),
      headers,
      signal,
      timeoutMs,
      [ATTEMPT]: options[ATTEMPT],
      stream: options.stream,
    });
    const { request, response } = exchange;
    if (isErrorAnswer(response)) throw await this.failure(exchange);
    if (options.stream === true) {
      request.deadline.clearTimeout();
      const given = options.idleTimeoutMs;
      response.idleTimeoutMs = resolveTimeout(owner, given, STREAM_IDLE_MS, 'idleTimeoutMs');
    } else if (!this.#connection.background) {
      response.idleTimeoutMs = timeoutMs;
      response.idleOption = 'timeoutMs';
    }
    return response;
  }

  /** Sends one request and returns its response, whatever the status. @param route replaces that of the connection. */
  protected async exchange(
    { method, url, body, headers: callHeaders = {}, ...options }: OutgoingRequest,
    route: Route = this.#connection.route(url),
  ): Promise<Exchange> {
    const { background, onRequest } = this.#connection;
    const headers = {
      accept: 'application/json',
      ...this.#connection.headers(),
      ...(body === undefined ? {} : { 'content-type': body.contentType }),
      ...callHeaders,
    };
    const { signal, timeoutMs = this.#connection.timeoutMs } = options;
    const redactor = this.#redactor(callHeaders);
    const path = redactor(url.pathname);
    const deadline = startDeadline({ signal, timeoutMs, what: `${method} ${path}`, background });
    const request: SentRequest = {
      method,
      path,
      host: url.host,
      source: sourceOf(this.#connection.baseUrl),
      redactor,
      deadline,
      proxy: route.proxy,
      acceptsCa: route.acceptsCa,
      onEnd: onRequest && endReporter(onRequest, method, path, options[ATTEMPT]),
    };
    const sent = await this.#send(request, () =>
      route.adapter.send({
        method,
        url,
        headers,
        body: body?.content,
        signal: deadline.signal,
        background,
        stream: options.stream,
        deadline,
      }),
    );
    const response = new HttpWebResponse(sent, request);
    if (options.stream) request.onEnd?.(response);
    return { request, response };
  }

  /** The exception for a response with an error. */
  protected async failure({ request, response }: Exchange): Promise<LogHTTPException> {
    return toHttpException(response, await readExcerpt(response), request);
  }

  async #send(request: SentRequest, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const { signal } = request.deadline;
    let answer: Promise<HttpResponse> | undefined;
    try {
      signal.throwIfAborted();
      answer = send();
      return await abortable(answer, signal);
    } catch (error) {
      // An adapter that ignores the signal may still get a response, which must be closed.
      answer?.then((late) => late.destroy()).catch(() => {});
      request.deadline[Symbol.dispose]();
      const failure = signal.aborted ? signal.reason : this.#connection.requestException(error, request);
      request.onEnd?.(undefined, failure);
      throw failure;
    }
  }

  /** @param prefix where the path must stay. */
  #url(path: string, prefix: string, query: RestCallOptions['query'] = {}): URL {
    const { baseUrl } = this.#connection;
    const url = new URL(baseUrl.href + path);
    if (!url.pathname.startsWith(baseUrl.pathname + prefix)) {
      throw new LogOptionsException('The endpoint is outside the API. Escape the names in it.');
    }
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  #redactor(headers: CallOptions['headers']): RedactText {
    const { secrets, redactText } = this.#connection;
    return messageRedactor([...secrets, ...secretsOfHeaders(headers ?? {})], redactText);
  }
}

/** Other clients have headers after the options, which would be missing in the request. @throws LogOptionsException */
function refuseArguments(owner: string, options: RestCallOptions, more: readonly unknown[]): void {
  refuseUnknownOptions(owner, options, REST_OPTION_NAMES);
  if (more.length === 0) return;
  const kind = 'the third one, with the options: { headers, data, … }';
  throw wrongKind(owner, 'the last argument', kind, more[0]);
}

function encodeBody(owner: string, { data, files }: RestCallOptions): Body {
  rejectPair(owner, { data, files }, 'data', 'files');
  if (files !== undefined) {
    const uploads = requireArray(owner, '"files"', files, '{ name, content }');
    return multipartBody(uploads.map((file, index) => requireUpload(owner, `"files[${index}]"`, file)));
  }
  if (data === undefined) return undefined;
  // Also bytes of another realm: in jest-environment-jsdom, a `Buffer` is no instance of the global `Uint8Array`.
  const content = typeof data === 'string' || isUint8Array(data) ? data : jsonText(owner, data);
  return { content, contentType: 'application/json' };
}

/** The JSON of a request's body. @throws LogOptionsException */
export function jsonText(owner: string, data: unknown, replace?: Replace): string {
  try {
    const text: string | undefined = JSON.stringify(data, replace);
    if (text !== undefined) return text;
  } catch (cause) {
    const [reason] = String((cause as Error).message).split('\n', 1);
    throw new LogOptionsException(`${owner}: "data" can't be serialized as JSON (${reason}).`, { cause });
  }
  throw new LogOptionsException(`${owner}: "data" can't be serialized as JSON (got ${describe(data)}).`);
}
