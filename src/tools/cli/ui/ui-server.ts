import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostProblem } from '../../../core/allowed-hosts.ts';
import { PAGE_ASSETS, PageFiles } from '../../../server/node/page-files.ts';
import { type PageServer, startPageServer } from '../serve/page-server.ts';
import { ApiProxy, ApiProxyError, type ApiProxyOptions, PROXY_HEADERS } from './api-proxy.ts';

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
  const handler = new RequestHandler(options, token);
  const server = await startPageServer(
    (request, response) => void handler.handle(request, response),
    options.port,
  );
  return { ...server, token };
}

class RequestHandler {
  readonly #proxy: ApiProxy;
  readonly #files: PageFiles;
  readonly #allowedHosts: readonly string[];
  readonly #tokenDigest: Buffer;

  constructor({ client, settings, allowedHosts }: UiServerOptions, token: string) {
    this.#proxy = new ApiProxy({ client, settings });
    const { origin, pathname } = new URL(client.baseUrl);
    this.#files = new PageFiles(origin + pathname);
    this.#allowedHosts = allowedHosts;
    this.#tokenDigest = digest(token);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#respond(request, response);
    } catch (error) {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const status = error instanceof ApiProxyError ? error.status : 500;
      const text = error instanceof Error ? error.message : String(error);
      response.writeHead(status, { ...PROXY_HEADERS, 'content-type': 'text/plain; charset=utf-8' }).end(text);
    }
  }

  /** @throws ApiProxyError */
  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const source = { method, host: headers.host, origin: headers.origin };
    const problem = hostProblem(source, { allowedHosts: this.#allowedHosts, isLoopback: true });
    if (problem !== undefined) throw new ApiProxyError(403, problem);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const file = pathname === '/' ? 'index.html' : PAGE_ASSETS.find((name) => pathname === `/page/${name}`);
    if (file !== undefined && (method === 'GET' || method === 'HEAD')) {
      const { status, headers, body } = this.#files.respond(file, {
        acceptEncoding: request.headers['accept-encoding'],
        ifNoneMatch: request.headers['if-none-match'],
        version: searchParams.get('v'),
      });
      response.writeHead(status, headers).end(body);
      return;
    }
    if (!this.#isAuthorized(headers.authorization)) {
      throw new ApiProxyError(
        401,
        'Open the link that "logclient ui" printed: it contains the token of the page.',
      );
    }
    await this.#proxy.forward(pathname.slice(1), request, response);
  }

  #isAuthorized(authorization = ''): boolean {
    return timingSafeEqual(digest(authorization.replace(/^Bearer /, '')), this.#tokenDigest);
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
