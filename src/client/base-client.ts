import type { CallOptions } from '../web/call-options.ts';
import type { ResolvedConnectionOptions } from '../web/connection-options.ts';
import { WebCaller } from '../web/web-caller.ts';
import type { StructuredEventGroup } from '../wire/ingest.ts';
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
  readonly #endpoints: IngestEndpoints;

  protected constructor(token: string, connection: ResolvedConnectionOptions, endpoints: IngestEndpoints) {
    const { baseUrl, ...options } = connection;
    const headers = { ...options.headers, authorization: `Bearer ${token}` };
    this.webCaller = new WebCaller(baseUrl, { ...options, headers, secrets: [token] });
    this.#endpoints = endpoints;
  }

  /** Address of the service. */
  get baseUrl(): string {
    return this.webCaller.baseUrl;
  }

  /**
   * Ingests structured events, in groups that share their tags.
   *
   * Sends one request without retries. To send a stream of records, use an `Ingester`.
   *
   * @throws LogOptionsException before anything is sent
   */
  ingestJsonData(
    elements: readonly StructuredEventGroup[] = [],
    options: CallOptions = {},
  ): Promise<IngestAnswer> {
    return ingestJsonData(this.webCaller, this.#endpoints, elements, options);
  }

  /**
   * Ingests lines of text, which a parser converts to events.
   *
   * @throws LogOptionsException before anything is sent
   */
  ingestMessages(
    messages: readonly string[] = [],
    options: IngestMessagesOptions = {},
  ): Promise<IngestAnswer> {
    return ingestMessages(this.webCaller, this.#endpoints, messages, options);
  }
}
