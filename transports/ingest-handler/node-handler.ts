import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReadableStream } from 'node:stream/web';
import type { IngestHandler } from './index.ts';

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
    const fetchRequest = toFetchRequest(incoming, request.body);
    if (fetchRequest === undefined) {
      outgoing.writeHead(400).end();
      return;
    }
    const answer = await handler.handle(fetchRequest, incoming.socket.remoteAddress);
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(await answer.text());
  };
}

/** @returns `undefined` for invalid requests, such as one with the method TRACE. */
function toFetchRequest(incoming: IncomingMessage, parsedBody: unknown): Request | undefined {
  const { method = 'GET', headers } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const own: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (name === ':authority') own.push(['host', String(value)]);
    else if (!name.startsWith(':')) own.push([name, String(value)]);
  }
  try {
    return new Request('http://localhost', {
      method,
      headers: own,
      ...(hasBody && { body: bodyOf(incoming, parsedBody), duplex: 'half' }),
    } as RequestInit);
  } catch {
    return undefined;
  }
}

function bodyOf(incoming: IncomingMessage, parsedBody: unknown): unknown {
  if (!incoming.readableEnded) {
    // If the rest of the body is not needed, the connection stays open for the response.
    return ReadableStream.from(incoming.iterator({ destroyOnReturn: false }));
  }
  return typeof parsedBody === 'string' || Buffer.isBuffer(parsedBody)
    ? parsedBody
    : JSON.stringify(parsedBody);
}
