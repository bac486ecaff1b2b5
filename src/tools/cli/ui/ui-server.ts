import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostProblem } from '../../../core/allowed-hosts.ts';
import { PAGE_ASSETS, PageFiles } from '../../../server/node/page-files.ts';
import { type PageServer, startPageServer } from '../serve/page-server.ts';
import { ApiProxyError, type ApiProxyOptions, forward, PROXY_HEADERS } from './api-proxy.ts';

export interface UiServerOptions extends ApiProxyOptions {
  readonly port: number;
  readonly allowedHosts: readonly string[];
}

/** A server of the web page in front of a service. */
export interface UiServer extends PageServer {
  /** Token of the page; each server has a new one. */
  readonly token: string;
}

/** Starts a server. @throws Error with the error of the system as its cause if the port can't be used */
export async function startUiServer(options: UiServerOptions): Promise<UiServer> {
  const token = randomBytes(32).toString('base64url');
  const respond = responder(options, token);
  const server = await startPageServer((request, response) => {
    respond(request, response).catch((error: unknown) => writeFailure(response, error));
  }, options.port);
  return { ...server, token };
}

/** Answers requests, or throws an ApiProxyError. */
function responder({ client, settings, allowedHosts }: UiServerOptions, token: string) {
  const service = new URL(client.baseUrl);
  const files = new PageFiles(service.origin + service.pathname);
  const tokenDigest = digest(token);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', headers } = request;
    const source = { method, host: headers.host, origin: headers.origin };
    const problem = hostProblem(source, { allowedHosts, isLoopback: true });
    if (problem !== undefined) throw new ApiProxyError(403, problem);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const file = pathname === '/' ? 'index.html' : PAGE_ASSETS.find((name) => pathname === `/page/${name}`);
    if (file !== undefined && (method === 'GET' || method === 'HEAD')) {
      const { status, body, ...found } = files.respond(file, {
        acceptEncoding: headers['accept-encoding'],
        ifNoneMatch: headers['if-none-match'],
        version: searchParams.get('v'),
      });
      response.writeHead(status, found.headers).end(body);
      return;
    }
    const sent = headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!timingSafeEqual(digest(sent), tokenDigest)) {
      throw new ApiProxyError(
        401,
        'Open the link that "logclient ui" printed: it contains the token of the page.',
      );
    }
    await forward({ client, settings }, pathname.slice(1), request, response);
  };
}

function writeFailure(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    // There is no other way to report a failure.
    response.destroy();
    return;
  }
  const status = error instanceof ApiProxyError ? error.status : 500;
  const text = error instanceof Error ? error.message : String(error);
  response.writeHead(status, { ...PROXY_HEADERS, 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
