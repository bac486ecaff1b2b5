import { type CallOptions, resolveCallOptions } from '../core/http/call-options.ts';
import { FollowedServer } from '../core/http/node/followed-server.ts';
import { WebCaller } from '../core/http/node/web-caller.ts';
import type { StructuredEventGroup } from '../core/wire/ingest.ts';
import type { ResolvedRequestOptions } from './client-options.ts';
import {
  type IngestAnswer,
  type IngestEndpoints,
  type IngestMessagesOptions,
  ingestRequest,
  messageGroup,
  requireElements,
} from './ingest-calls.ts';
import { optionalJson } from './optional-json.ts';
import { notSupported } from './support.ts';

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
  async ingestJsonData(
    elements: readonly StructuredEventGroup[] = [],
    options: CallOptions = {},
  ): Promise<IngestAnswer> {
    const call = resolveCallOptions('ingestJsonData', options);
    requireElements(elements);
    return this.#ingest('ingestJsonData', 'structured', elements, call);
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
  async ingestMessages(
    messages: readonly string[] = [],
    options: IngestMessagesOptions = {},
  ): Promise<IngestAnswer> {
    const call = resolveCallOptions('ingestMessages', options, ['parser', 'fields', 'tags']);
    return this.#ingest('ingestMessages', 'unstructured', [messageGroup(messages, options)], call);
  }

  async #ingest(
    owner: string,
    kind: keyof IngestEndpoints,
    data: unknown,
    call: CallOptions,
  ): Promise<IngestAnswer> {
    if (this.#endpoints === undefined) throw notSupported(owner);
    const request = await ingestRequest(owner, call, data);
    // A caller that took a response without a body for a failure would send the events twice.
    const read = optionalJson<IngestAnswer>;
    return (await this.webCaller.readRest('POST', this.#endpoints[kind], request, read)) ?? {};
  }
}

/** Sends requests with a token. @param tokenName variable with the token of a discovered local server. */
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
