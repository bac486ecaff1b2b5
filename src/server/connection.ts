import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Both ends of a request over a socket; a request through `server.fetch` has none. */
export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The connection that the listener passes to hono as the environment of a request. */
export function connectionOf(environment: unknown): Connection | undefined {
  const { incoming, outgoing } = (environment ?? {}) as Partial<Connection>;
  return incoming === undefined || outgoing === undefined ? undefined : { incoming, outgoing };
}

/** The body of a request. For sockets, Node.js streams are several times as fast as web streams. */
export function incomingChunks(
  request: Request,
  connection: Connection | undefined,
): AsyncIterable<Uint8Array> {
  if (connection !== undefined) return connection.incoming.iterator({ destroyOnReturn: false });
  return (request.body as AsyncIterable<Uint8Array> | null) ?? (async function* () {})();
}

/** The error of `server.fetch` where a client with a socket would lose its connection. */
export function connectionLost(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

/** The error of `server.fetch` while the port is closed. */
export function connectionRefused(): TypeError {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  return new TypeError('fetch failed', { cause });
}

/** A controller without a warning about many listeners, because every open request listens to its signal. */
export function sharedAbortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
