import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HandlerRequest, RESPOND, type Respond } from './http-message.ts';
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
  const { [RESPOND]: respond } = handler as IngestHandler & { readonly [RESPOND]: Respond };
  return async (request, response) => {
    const incoming = 'raw' in request ? request.raw : request;
    const outgoing = 'raw' in response ? response.raw : response;
    if ('hijack' in response) response.hijack();
    const given = toHandlerRequest(incoming, request.body);
    const { status, headers, body } = await respond(given, incoming.socket.remoteAddress);
    outgoing.writeHead(status, headers).end(body);
    if (status === 408) outgoing.once('finish', () => incoming.destroy());
    // Otherwise the next request on this connection waits for a body that nothing reads.
    else incoming.resume();
  };
}

function toHandlerRequest(incoming: IncomingMessage, parsedBody: unknown): HandlerRequest {
  const { method = 'GET', headers } = incoming;
  return {
    method,
    url: `http://${headers[':authority'] ?? headers.host ?? 'localhost'}`,
    headers: { get: (name) => headers[name]?.toString() ?? null },
    get body() {
      // If the rest of the body is not needed, the connection stays open for the response.
      if (!incoming.readableEnded) return incoming.iterator({ destroyOnReturn: false });
      const isRaw = typeof parsedBody === 'string' || Buffer.isBuffer(parsedBody);
      return [Buffer.from(isRaw ? parsedBody : (JSON.stringify(parsedBody) ?? ''))];
    },
  };
}
