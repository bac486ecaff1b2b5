import { refuseUnknownOptions, requireBoolean } from '../../option-checks.ts';
import { fetchAdapter } from '../fetch-adapter.ts';
import {
  type Connection,
  type Exchange,
  HttpCaller,
  type OutgoingRequest,
  type Route,
} from '../http-caller.ts';
import { type RedactText, secretsOfHeaders } from '../message-redactor.ts';
import type { HttpProxy } from '../proxy-error.ts';
import { userAgent } from '../user-agent.ts';
import type { WebResponse } from '../web-response.ts';
import {
  CONNECTION_OPTION_NAMES,
  type ConnectionOptions,
  connectionProxy,
  type ResolvedConnectionOptions,
  resolveConnectionOptions,
  usesGlobalDispatcher,
} from './connection-options.ts';
import type { FollowedServer } from './followed-server.ts';
import { nodeHttpAdapter } from './node-http-adapter.ts';
import { requestException } from './request-exception.ts';

export interface WebCallerOptions
  extends Omit<ConnectionOptions, 'baseUrl'>,
    Pick<Connection, 'maxRetries' | 'maxRetryAfterMs' | 'onRequest'> {
  /** Strings, such as tokens, to redact from all messages. Header values are always redacted. */
  secrets?: readonly string[] | undefined;
  /** Removes other secrets from messages, before these are cut. @internal */
  redactText?: RedactText | undefined;
  /**
   * If true, timeouts and requests with a binary body don't keep the process alive. Does not apply to connections of a
   * custom `fetch`.
   *
   * @default false
   */
  background?: boolean | undefined;
  /** The discovered local server at `baseUrl`. Requests go there directly, with its credentials. @internal */
  followed?: FollowedServer | undefined;
}

const OWN_NAMES = ['secrets', 'background', 'maxRetries', 'maxRetryAfterMs', 'onRequest'];

/** Sends single requests to the HTTP API of the service and converts failures to exceptions. */
export class WebCaller extends HttpCaller {
  readonly #followed: FollowedServer | undefined;

  /** @param baseUrl address of the service, optionally with a path prefix. @throws LogOptionsException */
  constructor(baseUrl?: string | URL, options: WebCallerOptions = {}) {
    const { redactText, followed, ...own } = options;
    refuseUnknownOptions('WebCaller', own, [...CONNECTION_OPTION_NAMES, ...OWN_NAMES]);
    const { secrets = [], background = false } = own;
    const connection = resolveConnectionOptions('WebCaller', { ...own, baseUrl });
    const headers = { 'user-agent': userAgent(connection.clientName), ...connection.headers };
    const proxy = connectionProxy('WebCaller', connection);
    super({
      ...own,
      baseUrl: connection.baseUrl,
      timeoutMs: connection.timeoutMs,
      secrets: [...secrets, ...secretsOfHeaders({ ...headers, ...proxy?.headers })],
      redactText,
      background: requireBoolean('WebCaller', 'background', background),
      headers: () => headers,
      requestException,
      route: (url) => chooseRoute(connection, proxy, url),
    });
    this.#followed = followed;
  }

  /** Wraps a function that resolves to a response in one that resolves to its JSON body. */
  static responseAsJson<T = unknown, Arguments extends unknown[] = unknown[]>(
    callback: (...args: Arguments) => Promise<WebResponse>,
  ): (...args: Arguments) => Promise<T> {
    return async (...args) => (await callback(...args)).json<T>();
  }

  protected override async exchange(request: OutgoingRequest): Promise<Exchange> {
    if (this.#followed === undefined) return super.exchange(request);
    return this.#followed.send((server, credentials) =>
      super.exchange(
        { ...request, headers: { ...credentials, ...request.headers } },
        { adapter: nodeHttpAdapter({ localServer: server }), acceptsCa: false },
      ),
    );
  }
}

/**
 * Chosen per request, because a mock may be installed at any time.
 *
 * @param proxy for `baseUrl`. The environment may exempt other hosts.
 */
function chooseRoute(connection: ResolvedConnectionOptions, proxy: HttpProxy | undefined, url: URL): Route {
  const { agent, fetch, ca, baseUrl } = connection;
  const ownFetch = usesGlobalDispatcher(connection) ? globalThis.fetch : fetch;
  if (ownFetch !== undefined) return { adapter: fetchAdapter(ownFetch), acceptsCa: false };
  const ownProxy =
    url.origin === baseUrl.origin ? proxy : connectionProxy('WebCaller', { ...connection, baseUrl: url });
  const adapter = nodeHttpAdapter({ agent, ca, proxy: ownProxy });
  return { adapter, proxy: ownProxy, acceptsCa: agent === undefined };
}
