/** The one place where HTTP happens. Two adapters exist: undici and a caller's `fetch`. */
export interface HttpSeam {
  /** Sends one request and never follows a redirect. Rejects with whatever the library below rejects with. */
  send(request: HttpRequest): Promise<HttpAnswer>;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** Ends the request and the reading of its answer. */
  readonly signal: AbortSignal;
  /** The connection should not keep the process alive, where the library below allows for that. */
  readonly background: boolean;
}

export interface HttpAnswer {
  readonly statusCode: number;
  /** `name` in lower case. */
  header(name: string): string | undefined;
  /** Decompressed. Can be read once. Returning from its iterator closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection if the body was not read to its end. */
  destroy(): void;
}
