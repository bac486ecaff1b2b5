import type { CallOptions } from '../core/http/call-options.ts';
import { FollowedServer } from '../core/http/node/followed-server.ts';
import { WebCaller } from '../core/http/node/web-caller.ts';
import type { StructuredEventGroup } from '../core/wire/ingest.ts';
import type { ResolvedRequestOptions } from './client-options.ts';
import {
  type IngestAnswer,
  type IngestEndpoints,
  type IngestMessagesOptions,
  ingestJsonData,
  ingestMessages,
} from './ingest-calls.ts';

/** Base class of both clients, with the connection and the ingest methods. Don't instantiate it directly. */
export abstract class BaseLogClient {
  /** Sends single requests with the client's token, for API calls without a client method. */
  readonly webCaller: WebCaller;
  readonly #endpoints: IngestEndpoints | undefined;

  protected constructor(webCaller: WebCaller, endpoints: IngestEndpoints | undefined) {
    this.webCaller = webCaller;
    this.#endpoints = endpoints;
  }

  /** Address of the service. */
  get baseUrl(): string {
    return this.webCaller.baseUrl;
  }

  /**
   * Ingests structured events, in groups that share their tags.
   *
   * Sends one request, which is only retried if the service has not run it (see `maxRetries`). To send a stream of records, use an `Ingester`.
   *
   * @throws LogOptionsException before anything is sent, also if an event has no valid timestamp
   * @throws LogException with the code `LOG_NOT_SUPPORTED` on Next-Gen SIEM, which has no such endpoint
   *
   * @example
   * ```ts
   * await client.ingestJsonData([
   *   { tags: { service: 'checkout' }, events: [{ timestamp: new Date(), attributes: { level: 'info' } }] },
   * ]);
   * ```
   */
  ingestJsonData(
    elements: readonly StructuredEventGroup[] = [],
    options: CallOptions = {},
  ): Promise<IngestAnswer> {
    return ingestJsonData(this.webCaller, this.#endpoints, elements, options);
  }

  /**
   * Ingests lines of text, which a parser converts to events. With an unknown parser, the events are stored with `@error`.
   *
   * @throws LogOptionsException before anything is sent
   * @throws LogException with the code `LOG_NOT_SUPPORTED` on Next-Gen SIEM, which has no such endpoint
   *
   * @example
   * ```ts
   * await client.ingestMessages(['level=info message=started'], { parser: 'kv' });
   * ```
   */
  ingestMessages(
    messages: readonly string[] = [],
    options: IngestMessagesOptions = {},
  ): Promise<IngestAnswer> {
    return ingestMessages(this.webCaller, this.#endpoints, messages, options);
  }
}

/**
 * Sends requests with a token.
 *
 * @param tokenName variable with the token of a discovered local server.
 */
export function tokenCaller(
  token: string,
  { baseUrl, localServer, ...connection }: ResolvedRequestOptions,
  tokenName: 'LOGSCALE_TOKEN' | 'LOGSCALE_INGEST_TOKEN',
): WebCaller {
  const headers = { ...connection.headers, authorization: `Bearer ${token}` };
  const followed =
    localServer &&
    new FollowedServer(localServer, ({ variables }) => ({ authorization: `Bearer ${variables[tokenName]}` }));
  return new WebCaller(baseUrl, { ...connection, headers, secrets: [token], followed });
}
