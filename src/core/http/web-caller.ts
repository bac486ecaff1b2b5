import { types } from 'node:util';
import { abortable } from '../abortable.ts';
import { startDeadline } from '../deadline.ts';
import type { FoundServer } from '../discovery/local-servers.ts';
import { type LogHTTPException, LogOptionsException } from '../errors.ts';
import { refuseUnknownOptions, requireBoolean, requireText } from '../option-checks.ts';
import type { CallOptions } from './call-options.ts';
import { requestException } from './connection-error.ts';
import {
  CONNECTION_OPTION_NAMES,
  type ConnectionOptions,
  connectionProxy,
  type ResolvedConnectionOptions,
  resolveConnectionOptions,
  resolveTimeout,
  usesGlobalDispatcher,
} from './connection-options.ts';
import { fetchAdapter } from './fetch-adapter.ts';
import type { FollowedServer } from './followed-server.ts';
import { type GraphqlCall, graphqlBody, graphqlData } from './graphql.ts';
import { resolveHeaders } from './headers.ts';
import type { HttpAdapter, HttpResponse } from './http-adapter.ts';
import { httpException, isErrorAnswer } from './http-error.ts';
import { type FileUpload, multipartBody } from './multipart.ts';
import { nodeHttpAdapter } from './node/node-http-adapter.ts';
import type { HttpProxy } from './node/proxy.ts';
import { Redactor, secretsOfHeaders } from './redactor.ts';
import { userAgent } from './user-agent.ts';
import { type AnsweredRequest, HttpWebResponse, type WebResponse } from './web-response.ts';

export interface WebCallerOptions extends Omit<ConnectionOptions, 'baseUrl'> {
  /** Strings, such as tokens, to redact from all messages. Header values are always redacted. */
  secrets?: readonly string[] | undefined;
  /**
   * If true, timeouts and requests with a binary body don't keep the process alive. Does not apply to connections of a
   * custom `fetch`.
   *
   * @default false
   */
  background?: boolean | undefined;
  /** The discovered local server at `baseUrl`. Requests go there directly, with its credentials. */
  followed?: FollowedServer | undefined;
}

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
   * @default Infinity
   */
  idleTimeoutMs?: number | undefined;
}

export interface GraphqlCallOptions extends CallOptions, GraphqlCall {}

export const REST_PREFIX = 'api/v1/';
const GRAPHQL_PATH = 'graphql';

type Body = { readonly content: string | Uint8Array; readonly contentType: string } | undefined;

/** How a request is sent. */
interface Route {
  readonly adapter: HttpAdapter;
  readonly proxy?: HttpProxy | undefined;
  /** Whether the option `ca` applies. */
  readonly acceptsCa: boolean;
}

export interface OutgoingRequest extends CallOptions {
  readonly method: string;
  readonly url: URL;
  readonly body?: Body;
}

/** A request and its response, whatever the status. */
export interface Exchange {
  readonly request: AnsweredRequest;
  readonly response: HttpWebResponse;
}

/** Sends single requests to the HTTP API of the service and converts failures to exceptions. */
export class WebCaller {
  readonly #connection: ResolvedConnectionOptions;
  readonly #proxy: HttpProxy | undefined;
  readonly #secrets: readonly string[];
  readonly #background: boolean;
  readonly #followed: FollowedServer | undefined;

  /**
   * @param baseUrl address of the service, optionally with a path prefix.
   * @throws LogOptionsException
   */
  constructor(baseUrl?: string | URL, options: WebCallerOptions = {}) {
    const { secrets = [], background = false, followed, ...connection } = options;
    refuseUnknownOptions('WebCaller', connection, [...CONNECTION_OPTION_NAMES, 'secrets', 'background']);
    this.#connection = resolveConnectionOptions('WebCaller', { ...connection, baseUrl });
    this.#proxy = connectionProxy('WebCaller', this.#connection);
    const { headers } = this.#connection;
    this.#secrets = [...secrets, ...secretsOfHeaders({ ...headers, ...this.#proxy?.headers })];
    this.#background = requireBoolean('WebCaller', 'background', background);
    this.#followed = followed;
  }

  /** Address of the service, with a trailing slash. */
  get baseUrl(): string {
    return this.#connection.baseUrl.href;
  }

  /**
   * Calls the REST API.
   *
   * @param verb the HTTP method.
   * @param endpoint the path below `{baseUrl}/api/v1/`, with its segments escaped.
   * @throws LogHTTPException for every unsuccessful response; redirects are not followed
   * @throws LogConnectionException
   * @throws LogTimeoutException
   */
  async callRest(verb: string, endpoint: string, options: RestCallOptions = {}): Promise<WebResponse> {
    const path = requireText('WebCaller', 'endpoint', endpoint).replace(/^\/+/, '');
    return this.#call(verb, REST_PREFIX, path, options);
  }

  /**
   * Calls a path below `baseUrl`, with its segments escaped.
   *
   * @throws like {@link callRest}
   */
  async callPath(verb: string, path: string, options: RestCallOptions = {}): Promise<WebResponse> {
    return this.#call(verb, '', path, options);
  }

  /**
   * Calls the GraphQL API.
   *
   * @returns `data` of the response.
   * @throws LogHTTPException as {@link callRest}, and with the code `LOG_GRAPHQL` for errors in the response.
   */
  async callGraphql<T = unknown>(options: GraphqlCallOptions): Promise<T> {
    const { headers, signal, timeoutMs, ...call } = options;
    const data = graphqlBody(call);
    const response = await this.#call('POST', GRAPHQL_PATH, '', { headers, signal, timeoutMs, data });
    return graphqlData<T>(response, this.#redactor(headers));
  }

  /** Wraps a function that resolves to a response in one that resolves to its JSON body. */
  static responseAsJson<T = unknown, Arguments extends unknown[] = unknown[]>(
    callback: (...args: Arguments) => Promise<WebResponse>,
  ): (...args: Arguments) => Promise<T> {
    return async (...args) => (await callback(...args)).json<T>();
  }

  async #call(
    verb: string,
    prefix: string,
    endpoint: string,
    options: RestCallOptions,
  ): Promise<WebResponse> {
    const exchange = await this.exchange({
      method: requireText('WebCaller', 'verb', verb).toUpperCase(),
      url: this.#url(prefix, endpoint, options.query),
      body: encodeBody(options),
      headers: resolveHeaders('WebCaller', options.headers),
      signal: options.signal,
      timeoutMs: resolveTimeout('WebCaller', options.timeoutMs, this.#connection.timeoutMs),
    });
    const { request, response } = exchange;
    if (isErrorAnswer(response)) throw await this.failure(exchange);
    if (options.stream) {
      request.deadline.clearTimeout();
      response.idleTimeoutMs = resolveTimeout(
        'WebCaller',
        options.idleTimeoutMs,
        Number.POSITIVE_INFINITY,
        'idleTimeoutMs',
      );
    }
    return response;
  }

  /** Sends one request and returns its response, whatever the status. */
  protected async exchange(request: OutgoingRequest): Promise<Exchange> {
    if (this.#followed === undefined) return this.#exchange(request);
    return this.#followed.send((server, credentials) =>
      this.#exchange({ ...request, headers: { ...credentials, ...request.headers } }, server),
    );
  }

  async #exchange(
    { method, url, body, headers: callHeaders = {}, ...options }: OutgoingRequest,
    localServer?: FoundServer,
  ): Promise<Exchange> {
    const { clientName } = this.#connection;
    const background = this.#background;
    const headers = {
      accept: 'application/json',
      'user-agent': userAgent(clientName),
      ...this.#connection.headers,
      ...(body === undefined ? {} : { 'content-type': body.contentType }),
      ...callHeaders,
    };
    const { signal, timeoutMs = this.#connection.timeoutMs } = options;
    const redactor = this.#redactor(callHeaders);
    const path = redactor.redact(url.pathname);
    const deadline = startDeadline({ signal, timeoutMs, what: `${method} ${path}`, background });
    const route = this.#route(url, localServer);
    const request: AnsweredRequest = {
      method,
      path,
      host: url.host,
      redactor,
      deadline,
      proxy: route.proxy,
      acceptsCa: route.acceptsCa,
    };
    const sent = await this.#send(request, () =>
      route.adapter.send({
        method,
        url,
        headers,
        body: body?.content,
        signal: deadline.signal,
        background,
      }),
    );
    return { request, response: new HttpWebResponse(sent, request) };
  }

  /** The exception for a response with an error. */
  protected failure({ request, response }: Exchange): Promise<LogHTTPException> {
    return httpException(response, request);
  }

  async #send(request: AnsweredRequest, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
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
      if (signal.aborted) throw signal.reason;
      throw requestException(error, request);
    }
  }

  /** Chosen per request, because a mock or a proxy may be installed at any time. */
  #route(url: URL, localServer: FoundServer | undefined): Route {
    if (localServer !== undefined) return { adapter: nodeHttpAdapter({ localServer }), acceptsCa: false };
    const { agent, fetch, ca } = this.#connection;
    const ownFetch = usesGlobalDispatcher(this.#connection) ? globalThis.fetch : fetch;
    if (ownFetch !== undefined) return { adapter: fetchAdapter(ownFetch), acceptsCa: false };
    const proxy = this.#proxyFor(url);
    return { adapter: nodeHttpAdapter({ agent, ca, proxy }), proxy, acceptsCa: agent === undefined };
  }

  /** The environment may exempt hosts from the proxy. */
  #proxyFor(url: URL): HttpProxy | undefined {
    if (url.origin === this.#connection.baseUrl.origin) return this.#proxy;
    return connectionProxy('WebCaller', { ...this.#connection, baseUrl: url });
  }

  #url(prefix: string, endpoint: string, query: RestCallOptions['query'] = {}): URL {
    const { baseUrl } = this.#connection;
    const url = new URL(baseUrl.href + prefix + endpoint);
    if (!url.pathname.startsWith(baseUrl.pathname + prefix)) {
      throw new LogOptionsException('The endpoint is outside the API. Escape the names in it.');
    }
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  #redactor(headers: CallOptions['headers']): Redactor {
    return new Redactor(
      headers === undefined ? this.#secrets : [...this.#secrets, ...secretsOfHeaders(headers)],
    );
  }
}

function encodeBody({ data, files }: RestCallOptions): Body {
  if (files !== undefined) {
    if (data !== undefined)
      throw new LogOptionsException(`WebCaller: "data" and "files" can't be combined; pass only one.`);
    return multipartBody(files);
  }
  if (data === undefined) return undefined;
  // Also bytes of another realm: in jest-environment-jsdom, a `Buffer` is no instance of the global `Uint8Array`.
  const content = typeof data === 'string' || types.isUint8Array(data) ? data : jsonText(data);
  return { content, contentType: 'application/json' };
}

function jsonText(data: unknown): string {
  const failure = 'WebCaller: "data" can\'t be serialized as JSON.';
  let text: string | undefined;
  try {
    text = JSON.stringify(data);
  } catch (cause) {
    throw new LogOptionsException(failure, { cause });
  }
  // For example, a function.
  if (text === undefined) throw new LogOptionsException(failure);
  return text;
}
