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

/** What both clients have: a connection to the service and the right to ingest. Not meant to be created itself. */
export abstract class BaseLogClient {
  /** Sends single requests with this client's token, for what the client has no method for. */
  readonly webCaller: WebCaller;
  readonly #endpoints: IngestEndpoints;

  protected constructor(token: string, connection: ResolvedConnectionOptions, endpoints: IngestEndpoints) {
    const { baseUrl, ...options } = connection;
    const headers = { ...options.headers, authorization: `Bearer ${token}` };
    this.webCaller = new WebCaller(baseUrl, { ...options, headers, secrets: [token] });
    this.#endpoints = endpoints;
  }

  /** The address of the service. */
  get baseUrl(): string {
    return this.webCaller.baseUrl;
  }

  /**
   * Ingests structured events, in groups that share their tags.
   *
   * One request, and no retry: to ship a stream of records use an `Ingester`.
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
   * Ingests lines of text, which a parser turns into events.
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
