import http from 'node:http';
import https from 'node:https';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpProxy } from '../proxy-error.ts';
import { ProxyError } from '../proxy-error.ts';
import { runInBackground } from './background.ts';
import { serverNameOf } from './proxy.ts';

/** The request that a connection is opened for. */
export interface TunnelRequest {
  readonly background: boolean;
  readonly signal: AbortSignal;
}

interface TunnelOptions extends https.RequestOptions {
  readonly tunnel?: TunnelRequest;
}

/**
 * Agent for `https:` that connects through a proxy with `CONNECT`.
 *
 * A connection attempt belongs to its request: it is aborted with the request, and in the background, it doesn't keep
 * the process alive. The proxy agents on npm support neither.
 */
export class TunnelAgent extends https.Agent {
  readonly #proxy: HttpProxy;

  constructor(proxy: HttpProxy, options: https.AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(
    options: TunnelOptions,
    connected: (error: Error | null, socket: Duplex) => void = () => {},
  ): undefined {
    const failed = connected as (error: Error) => void;
    const proxy = this.#proxy;
    const request = this.#requestTunnel(options)
      .once('connect', ({ statusCode = 0 }, socket) => {
        if (statusCode < 300) {
          connected(null, super.createConnection({ ...options, socket } as TunnelOptions)!);
          return;
        }
        socket.destroy();
        failed(new ProxyError(proxy, { statusCode }));
      })
      .on('error', (cause) => failed(new ProxyError(proxy, { cause })));
    if (options.tunnel?.background) runInBackground(request);
    request.end();
  }

  #requestTunnel({ host, port, tunnel, ...tls }: TunnelOptions): http.ClientRequest {
    const { url, headers } = this.#proxy;
    const target = `${isIPv6(host ?? '') ? `[${host}]` : host}:${port}`;
    const library = url.protocol === 'https:' ? https : http;
    return library.request(url, {
      method: 'CONNECT',
      path: target,
      headers: { ...headers, host: target },
      servername: serverNameOf(url),
      agent: false,
      ...('secureContext' in tls && { secureContext: tls.secureContext }),
      ...('rejectUnauthorized' in tls && { rejectUnauthorized: tls.rejectUnauthorized }),
      ...(tunnel && { signal: tunnel.signal }),
    });
  }
}
