/** The headers of a request. */
export interface RequestHeaders {
  get(name: string): string | null;
}

/** What a handler reads of a request: a `Request` of the Fetch API, or a request of Node.js without the cost of one. */
export interface HandlerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null;
}

export interface HandlerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The function of a handler that {@link HandlerRequest}s need. Works between copies of this package. */
export const RESPOND = Symbol.for('logclient.ingestHandler.respond');

export type Respond = (
  request: HandlerRequest,
  remoteAddress: string | undefined,
) => Promise<HandlerResponse>;
