import type { IncomingMessage, ServerResponse } from 'node:http';

/** The two ends of a request that came over a socket; a request through `server.fetch` has none. */
export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The connection that the listener hands to hono as the environment of a request. */
export function connectionOf(environment: unknown): Connection | undefined {
  const { incoming, outgoing } = (environment ?? {}) as Partial<Connection>;
  return incoming === undefined || outgoing === undefined ? undefined : { incoming, outgoing };
}

/** What a client with `server.fetch` sees where one with a socket sees its connection go. */
export function connectionLost(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

/** What a client with `server.fetch` sees where one with a socket finds nobody who listens. */
export function connectionRefused(): TypeError {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  return new TypeError('fetch failed', { cause });
}
