import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { FoundServer } from '../../discovery/local-servers.ts';
import type { HttpAdapter, HttpRequest, HttpResponse } from '../http-adapter.ts';
import type { HttpProxy } from '../proxy-error.ts';
import { ProxyError } from '../proxy-error.ts';
import { runInBackground } from './background.ts';
import { decodedBody, OFFERED_CODINGS } from './content-decoding.ts';
import { KEEP_ALIVE, LIMITED } from './idle-connections.ts';
import { serverNameOf } from './proxy.ts';
import type { TunnelRequest } from './tunnel-agent.ts';

/** How to open connections to the service. */
export interface Route {
  readonly agent?: Agent | undefined;
  readonly proxy?: HttpProxy | undefined;
  /** Certificates to trust in addition to those of Node. */
  readonly ca?: readonly string[] | undefined;
  /** The discovered local server that must prove its identity on each connection. */
  readonly localServer?: FoundServer | undefined;
}

/** `node:http` or `node:https`, loaded with the first request. */
interface Library {
  /** The module itself: HTTP mocks replace its `request`, before or after this package is loaded. */
  readonly module: { request(url: URL, options: RequestOptions): ClientRequest };
  readonly agent: Agent;
}

const libraries = new Map<string, Promise<Library>>();

/** HTTP by `node:http` and `node:https`. Callers with the same route share agents: for delivery, streams, and others. */
export function nodeHttpAdapter(route: Route = {}): HttpAdapter {
  return {
    async send(request: HttpRequest): Promise<HttpResponse> {
      const isPlain = request.url.protocol === 'http:';
      const response = await (isPlain && route.proxy !== undefined
        ? forward(request, route.proxy, route.ca)
        : exchange(request, route));
      const header = (name: string): string | undefined => {
        const value = response.headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      };
      return {
        statusCode: response.statusCode ?? 0,
        headers: response.headers,
        header,
        body: decodedBody(response, header('content-encoding')),
        destroy: () => void response.destroy(),
      };
    },
  };
}

/** Sends a request for an `http:` address to a proxy. Many proxies allow `CONNECT` for `https:` only. */
async function forward(request: HttpRequest, proxy: HttpProxy, ca: Route['ca']): Promise<IncomingMessage> {
  const headers = { ...request.headers, ...proxy.headers, host: request.url.host };
  const options = { path: request.url.href, servername: serverNameOf(proxy.url) };
  try {
    return await exchange({ ...request, url: proxy.url, headers }, { ca }, options);
  } catch (cause) {
    throw new ProxyError(proxy, { cause });
  }
}

async function exchange(
  request: HttpRequest,
  { agent, ...route }: Route,
  options: RequestOptions = {},
): Promise<IncomingMessage> {
  const library = await libraryFor(request, route);
  request.signal.throwIfAborted();
  return responseTo(request, library.module, { agent: agent ?? library.agent, ...options });
}

function libraryFor({ url, background, stream }: HttpRequest, route: Route): Promise<Library> {
  const { proxy, ca, localServer } = route;
  const key = JSON.stringify([url.protocol, proxy, ca, localServer?.secret, background, stream === true]);
  const present = libraries.get(key);
  if (present !== undefined) return present;
  const settings = background || stream === true ? KEEP_ALIVE : LIMITED;
  const loading = loadLibrary(url.protocol, route, settings);
  libraries.set(key, loading);
  return loading;
}

async function loadLibrary(
  protocol: string,
  { proxy, ca, localServer }: Route,
  settings: typeof KEEP_ALIVE,
): Promise<Library> {
  // Not `import()`, which Jest rejects in CommonJS.
  const module = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
  if (localServer !== undefined) {
    const { ProvenAgent } = await import('./proven-agent.ts');
    return { module: { request: unmockedRequest }, agent: new ProvenAgent(localServer, settings) };
  }
  if (protocol === 'http:' || (proxy === undefined && ca === undefined)) {
    return { module, agent: new module.Agent(settings) };
  }
  const { openHttpsAgent } = await import('./https-agent.ts');
  return { module, agent: openHttpsAgent({ proxy, ca, settings }) };
}

/**
 * Opens a request that no HTTP mock intercepts: mocks expect that agents open connections without waiting, and crash
 * the program otherwise. They replace the class, but not its prototype.
 */
function unmockedRequest(url: URL, options: RequestOptions): ClientRequest {
  const { ClientRequest } = process.getBuiltinModule('node:http');
  const { constructor: Original } = ClientRequest.prototype as { constructor: unknown };
  return new (Original as new (url: URL, options: RequestOptions) => ClientRequest)(url, options);
}

/** Resolves with the headers of the response. */
function responseTo(
  { method, url, headers, body, signal, background, deadline }: HttpRequest,
  module: Library['module'],
  options: RequestOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const forAgent: { tunnel: TunnelRequest } = { tunnel: { background, signal } };
    const request = module.request(url, {
      ...options,
      ...forAgent,
      method,
      headers: { 'accept-encoding': OFFERED_CODINGS, ...headers, ...length },
    });
    const { requests = {} } = options.agent as Partial<Agent>;
    // The agent may have no socket for it yet.
    if (!background && Object.values(requests).some((queue) => queue?.includes(request as never))) {
      deadline?.clearTimeout();
      request.once('socket', () => deadline?.restart());
    }
    const onAbort = (): void => void request.destroy(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    request
      .once('close', () => signal.removeEventListener('abort', onAbort))
      // Also after the response: then its reader gets the error, too.
      .on('error', reject)
      .once('response', resolve)
      // The service switches to another protocol, which no request asked for.
      .once('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response);
      });
    if (background) runInBackground(request);
    request.end(body);
  });
}
