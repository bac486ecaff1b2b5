import { forwardAbort } from '../core/forward-abort.ts';
import type { BodyScript } from './http/body-script.ts';

/** What hono passes to routes as the environment of a request, besides the request. */
export interface Environment {
  /** The connection of a request over a socket; a request through `server.fetch` has none. */
  readonly connection?: Connection | undefined;
  readonly bodyScript?: BodyScript;
  readonly decompression: Decompression;
}

/** A connection to a client. */
export interface Connection {
  /** The body of the request. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Calls the listener when the response is complete or the client disconnects. */
  onClose(listener: () => void): void;
  /** Drops the connection after the bytes that are already written. */
  drop(): void;
  /** Drops the connection at once. */
  reset(): void;
}

/** Reads gzip, as fast as the runtime can. */
export interface Decompression {
  /** @throws BodyTooLargeError if the result has more than `maxBytes`, Error if the data is damaged */
  gunzip(compressed: Uint8Array, maxBytes: number): Promise<Buffer>;
  /** Decompresses data of any length. */
  gunzipChunks(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** The decompressed body of a request is larger than its limit. */
export class BodyTooLargeError extends Error {}

/** Responds to a request, which may have come over a socket. */
export type RequestHandler = (request: Request, connection?: Connection) => Promise<Response>;

export function environmentOf({ env }: { readonly env: unknown }): Environment {
  return env as Environment;
}

/** The body of a request. For sockets, Node.js streams are several times as fast as web streams. */
export function incomingChunks(
  request: Request,
  connection: Connection | undefined,
): AsyncIterable<Uint8Array> {
  return connection?.chunks() ?? chunksOf(request.body);
}

/** Aborts when the client disconnects or the server closes. Without a socket, the caller aborts it after its response. */
export function requestEnd(
  request: Request,
  connection: Connection | undefined,
  closing: AbortSignal,
): AbortController {
  const end = new AbortController();
  const release = forwardAbort(closing, end);
  end.signal.addEventListener('abort', release, { once: true });
  if (connection === undefined) forwardAbort(request.signal, end);
  else connection.onClose(() => end.abort());
  return end;
}

/** The chunks of a stream. Not its own iterator, which Safari lacks. */
export async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

/** The error of `server.fetch` where a client with a socket would lose its connection, or get none. */
export function connectionLost(call = 'read', code = 'ECONNRESET'): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`${call} ${code}`), { code }) });
}
