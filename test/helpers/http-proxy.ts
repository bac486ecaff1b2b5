import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { SELF_SIGNED } from './tls.ts';

export interface ProxyOptions {
  /** The port on this machine to which all addresses connect. */
  readonly port: number;
  /** `user:password`. Without them, the proxy responds with 407. */
  readonly credentials?: string;
  /** Speaks TLS with its clients. */
  readonly isSecure?: boolean;
  /** Status of the response to `CONNECT`; `'never'` sends none. */
  readonly connectStatus?: number | 'never';
}

export interface TestProxy {
  /** With the credentials. */
  readonly url: string;
  /** `CONNECT logscale.test:443`, `GET http://logscale.test/path`. */
  readonly requests: string[];
  /** Open connections of clients. */
  readonly openSockets: Set<Duplex>;
}

/** A real HTTP proxy on the loopback interface that ends with the test. */
export async function startProxy(options: ProxyOptions): Promise<TestProxy> {
  const { credentials, isSecure = false, connectStatus = 200, port } = options;
  const requests: string[] = [];
  const openSockets = new Set<Duplex>();
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const isAllowed = ({ headers }: IncomingMessage): boolean => headers['proxy-authorization'] === expected;
  const server = isSecure ? createSecureServer(SELF_SIGNED) : createServer();
  server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    if (!isAllowed(incoming)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end('who are you?');
      return;
    }
    const { pathname, search } = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const { 'proxy-authorization': _, ...forwarded } = headers;
    const onward = request({ port, host: '127.0.0.1', method, headers: forwarded, path: pathname + search });
    onward.on('error', () => response.writeHead(502).end());
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  server.on('connect', (incoming: IncomingMessage, client: Duplex) => {
    requests.push(`CONNECT ${incoming.url}`);
    client.on('error', () => {});
    if (connectStatus === 'never') {
      client.resume().on('end', () => client.end());
      return;
    }
    const status = isAllowed(incoming) ? connectStatus : 407;
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 3\r\n\r\nno!`);
      return;
    }
    const service = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      service.pipe(client).pipe(service);
    });
    service.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => service.destroy());
  });
  server.on(isSecure ? 'secureConnection' : 'connection', (socket: Duplex) => {
    openSockets.add(socket);
    socket.once('close', () => openSockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const socket of openSockets) socket.destroy();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const account =
    credentials === undefined ? '' : `${credentials.split(':').map(encodeURIComponent).join(':')}@`;
  return { url: `${isSecure ? 'https' : 'http'}://${account}${host}`, requests, openSockets };
}
