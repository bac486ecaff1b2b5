/** The one place where HTTP happens. Two adapters exist: `node:http`, and `fetch`. */
export interface HttpAdapter {
  /** Sends one request and never follows a redirect. Rejects with the error of the library below. */
  send(request: HttpRequest): Promise<HttpResponse>;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** Aborts the request and the reading of its response. */
  readonly signal: AbortSignal;
  /** Asks the adapter not to keep the process alive. `fetch` can't do that. */
  readonly background: boolean;
}

export interface HttpResponse {
  readonly statusCode: number;
  /** @param name in lower case */
  header(name: string): string | undefined;
  /** Decompressed. Can be read once. Leaving the loop closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection unless the body was read to its end. */
  destroy(): void;
}
