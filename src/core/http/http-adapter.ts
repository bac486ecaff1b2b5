import type { Deadline } from '../deadline.ts';

/** The body of a response does not match its headers. */
export class UnreadableBodyError extends Error {}

/** Sends HTTP requests. There are two adapters: `node:http` and `fetch`. */
export interface HttpAdapter {
  /** Sends one request without following redirects. Rejects with the error of the underlying library. */
  send(request: HttpRequest): Promise<HttpResponse>;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** Aborts the request and its response. */
  readonly signal: AbortSignal;
  /** Whether the request lets the process exit, which `fetch` does not support. */
  readonly background: boolean;
  /** Whether the response is a stream, which keeps its socket for long. @default false */
  readonly stream?: boolean | undefined;
  /** Its time limit, which doesn't include waiting for a socket. */
  readonly deadline?: Pick<Deadline, 'clearTimeout' | 'restart'> | undefined;
}

export interface HttpResponse {
  readonly statusCode: number;
  /** All headers by their name in lower case, if the library has them. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>> | undefined;
  /** @param name in lower case */
  header(name: string): string | undefined;
  /** Decompressed; can be read once. Leaving the loop closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection unless the body was read completely. */
  destroy(): void;
}
