import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** The body as JSON. */
  json<T = Record<string, unknown>>(): T;
}

export type Answer = (request: ReceivedRequest, response: ServerResponse) => unknown;

export interface HttpService {
  readonly url: string;
  readonly port: number;
  /** All requests so far. */
  readonly requests: ReceivedRequest[];
  /** `GET /path` of all requests so far. */
  readonly calls: string[];
  close(): Promise<void>;
}

/**
 * A real HTTP server on the loopback interface that ends with the test.
 *
 * @param port default: any that is free.
 */
export async function startService(answer: Answer, port = 0): Promise<HttpService> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const url = new URL(incoming.url ?? '/', 'http://service');
    const body = Buffer.concat(chunks);
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      // As sent: a URL object would resolve what tests check.
      path: (incoming.url ?? '').split('?', 1)[0] ?? '',
      query: url.searchParams,
      headers: incoming.headers,
      body,
      text: body.toString(),
      json: () => JSON.parse(body.toString()),
    };
    requests.push(request);
    await answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: ownPort } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return closing;
  };
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${ownPort}`,
    port: ownPort,
    requests,
    get calls() {
      return requests.map(({ method, path }) => `${method} ${path}`);
    },
    close,
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** The service's format for errors. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=UTF-8' }).end(text);
}
