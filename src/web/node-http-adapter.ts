import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { decodedBody, OFFERED_CODINGS } from './content-decoding.ts';
import type { HttpAdapter, HttpRequest, HttpResponse } from './http-adapter.ts';

/** A server closes idle connections after a few seconds. A connection that we close earlier can't be reset in use. */
const IDLE_CONNECTION_MS = 4_000;

/** A pending connection attempt keeps the process alive, so a background request must not wait for the system's limit. */
const BACKGROUND_CONNECT_TIMEOUT_MS = 5_000;

/** One `node:http` or `node:https`, loaded for the first request. */
interface Library {
  /** The module itself: HTTP mocks replace `request` on it, before or after this package is loaded. */
  readonly module: { request(url: URL, options: RequestOptions): ClientRequest };
  readonly agent: Agent;
}

const libraries = new Map<string, Promise<Library>>();

/**
 * HTTP by `node:http` and `node:https`.
 *
 * @param agent by default one that all callers share
 */
export function nodeHttpAdapter(agent?: Agent): HttpAdapter {
  return {
    async send(request: HttpRequest): Promise<HttpResponse> {
      const library = await libraryFor(request.url);
      request.signal.throwIfAborted();
      const response = await exchange(library.module, agent ?? library.agent, request);
      const header = (name: string): string | undefined => textOf(response.headers[name]);
      return {
        statusCode: response.statusCode ?? 0,
        header,
        body: decodedBody(response, header('content-encoding')),
        destroy: () => void response.destroy(),
      };
    },
  };
}

function libraryFor({ protocol }: URL): Promise<Library> {
  const present = libraries.get(protocol);
  if (present !== undefined) return present;
  const loading = (protocol === 'https:' ? import('node:https') : import('node:http')).then(
    ({ default: module }) => ({
      module,
      agent: new module.Agent({ keepAlive: true, timeout: IDLE_CONNECTION_MS }),
    }),
  );
  libraries.set(protocol, loading);
  return loading;
}

/** Resolves with the head of the response. */
function exchange(
  module: Library['module'],
  agent: Agent,
  { method, url, headers, body, signal, background }: HttpRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = module.request(url, {
      agent,
      method,
      headers: { 'accept-encoding': OFFERED_CODINGS, ...headers, ...length },
    });
    const onAbort = (): void => void request.destroy(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    request
      .once('close', () => signal.removeEventListener('abort', onAbort))
      // Also after the response: then its reader gets the error, too.
      .on('error', reject)
      .once('response', resolve);
    if (background) request.once('socket', (socket) => connectInBackground(socket, request));
    request.end(body);
  });
}

function connectInBackground(socket: Socket, request: ClientRequest): void {
  socket.unref();
  if (!socket.connecting) return;
  const timer = setTimeout(() => {
    request.destroy(Object.assign(new Error('the connection took too long'), { code: 'ETIMEDOUT' }));
  }, BACKGROUND_CONNECT_TIMEOUT_MS);
  const stop = (): void => clearTimeout(timer);
  socket.once('connect', stop).once('close', stop);
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
