import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IngestHandler } from './ingest-handler.ts';

/** A request of `node:http` or Express, or the `request` of Fastify. `body` is set if the framework has parsed it. */
export type NodeRequest = (IncomingMessage | { readonly raw: IncomingMessage }) & { readonly body?: unknown };

/** A response of `node:http` or Express, or the `reply` of Fastify. */
export type NodeResponse = ServerResponse | { readonly raw: ServerResponse; hijack(): unknown };

/**
 * Adapts a handler to `node:http`, Express and Fastify. It does not matter whether the framework has parsed the body.
 *
 * @example
 *   const handler = createIngestHandler({ tags: { service: 'shop' } });
 *   app.post('/logs', toNodeHandler(handler));
 */
export function toNodeHandler(
  handler: IngestHandler,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const incoming = 'raw' in request ? request.raw : request;
    const outgoing = 'raw' in response ? response.raw : response;
    if ('hijack' in response) response.hijack();
    const given = toRequest(incoming, request.body);
    const { status, headers, body } = await handler.handle(given, incoming.socket.remoteAddress);
    outgoing.writeHead(status, Object.fromEntries(headers)).end(await new Response(body).text());
    if (status === 408) outgoing.once('finish', () => incoming.destroy());
    // Otherwise the next request on this connection waits for a body that nothing reads.
    else incoming.resume();
  };
}

function toRequest(incoming: IncomingMessage, parsedBody: unknown): Request {
  const { method = 'GET', headers } = incoming;
  const fields = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  return new Request(`http://${headers[':authority'] ?? headers.host ?? 'localhost'}`, {
    // A `Request` can't have every method. All others are rejected.
    method: method === 'POST' || method === 'OPTIONS' ? method : 'GET',
    headers: fields.map(([name, value]) => [name, String(value)]),
    body: method === 'POST' ? bodyOf(incoming, parsedBody) : null,
    duplex: 'half',
  } as RequestInit);
}

function bodyOf(incoming: IncomingMessage, parsedBody: unknown): unknown {
  // If the rest of the body is not needed, the connection stays open for the response.
  if (!incoming.readableEnded) return incoming.iterator({ destroyOnReturn: false });
  const isRaw = typeof parsedBody === 'string' || Buffer.isBuffer(parsedBody);
  return isRaw ? parsedBody : JSON.stringify(parsedBody);
}
