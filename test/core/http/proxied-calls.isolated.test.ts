import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { version } from '../../../package.json' with { type: 'json' };
import { LogClient } from '../../../src/client/log-client.ts';
import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../../../src/core/errors.ts';
import { WebCaller } from '../../../src/core/http/node/web-caller.ts';
import { closedPort } from '../../helpers/closed-port.ts';
import { startProxy } from '../../helpers/http-proxy.ts';
import { startService } from '../../helpers/http-service.ts';
import { CA, SELF_SIGNED } from '../../helpers/tls.ts';

const STATUS = '{"status":"OK","version":"1"}';
const CREDENTIALS = 'shop:hunter2/hunter2';
const SECRET = /hunter2|c2hvcD/;

beforeEach(() => {
  for (const name of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'no_proxy', 'NO_PROXY']) {
    vi.stubEnv(name, undefined);
  }
});
afterEach(() => vi.unstubAllEnvs());

/** A service with a self-signed certificate; returns its port. */
async function startSecureService(): Promise<number> {
  const server = createServer(SELF_SIGNED, (_, response) =>
    response.setHeader('content-type', 'application/json').end(STATUS),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

async function failure(call: Promise<unknown>): Promise<Error> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(SECRET);
  return error as Error;
}

function status(baseUrl: string, options: object): Promise<unknown> {
  const caller = new WebCaller(baseUrl, { maxRetries: 0, ...options });
  return caller.callRest('GET', 'status').then((response) => response.json());
}

describe('A request to https:', () => {
  it("uses CONNECT with the proxy's credentials, and reuses the connection", async () => {
    const port = await startSecureService();
    const proxy = await startProxy({ port, credentials: CREDENTIALS });
    const options = { baseUrl: 'https://logscale.test', repository: 'a', userToken: 'user-token' };
    const client = new LogClient({ ...options, proxy: proxy.url, ca: CA });
    const other = new LogClient({ ...options, proxy: proxy.url, ca: [CA] });
    for (const each of [client, other, client]) {
      expect(await each.getStatus()).toEqual(JSON.parse(STATUS));
    }
    expect(proxy.requests).toEqual(['CONNECT logscale.test:443']);
    expect(inspect(client, { depth: 10, showHidden: true })).not.toMatch(SECRET);
  });

  it('supports a proxy over TLS, whose certificate is checked against its own host name', async () => {
    const proxy = await startProxy({ port: await startSecureService(), isSecure: true });
    expect(await status('https://logscale.test:8443', { proxy: proxy.url, ca: CA })).toMatchObject({
      status: 'OK',
    });
    expect(proxy.requests).toEqual(['CONNECT logscale.test:8443']);
    const error = await failure(status('https://logscale.test', { proxy: proxy.url }));
    expect(error).toMatchObject({ code: 'LOG_PROXY', cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
  });

  it('fails if only the service\'s certificate is not trusted, and names the option "ca"', async () => {
    const port = await startSecureService();
    const proxy = await startProxy({ port });
    for (const [baseUrl, options] of [
      ['https://logscale.test', { proxy: proxy.url }],
      [`https://127.0.0.1:${port}`, {}],
    ] as const) {
      const error = await failure(status(baseUrl, options));
      expect(error).toMatchObject({ code: 'LOG_CONNECTION' });
      expect(error.message).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT.*pass the CA in "ca", or set NODE_EXTRA_CA/);
      const own = await failure(status(`https://127.0.0.1:${port}`, { fetch: globalThis.fetch }));
      expect(own.message).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT.*own CA, set NODE_EXTRA_CA_CERTS/);
    }
  });

  it('without a proxy trusts "ca" in addition to Node\'s certificates', async () => {
    const port = await startSecureService();
    expect(await status(`https://localhost:${port}`, { ca: `${CA}\n${CA}` })).toMatchObject({ status: 'OK' });
  });

  it('through a proxy checks the host name in the certificate', async () => {
    const proxy = await startProxy({ port: await startSecureService() });
    const error = await failure(status('https://other.test', { proxy: proxy.url, ca: CA }));
    expect(error.cause).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it('closes the proxy connection when it times out', async () => {
    const proxy = await startProxy({ port: 1, connectStatus: 'never' });
    const error = await failure(status('https://logscale.test', { proxy: proxy.url, timeoutMs: 300 }));
    expect(error).toBeInstanceOf(LogTimeoutException);
    expect(proxy.requests).toHaveLength(1);
    await expect.poll(() => proxy.openSockets.size).toBe(0);
  });

  it('fails with LOG_PROXY if the proxy does not connect', async () => {
    const proxy = await startProxy({ port: 1, connectStatus: 403 });
    const error = await failure(status('https://logscale.test', { proxy: proxy.url }));
    expect(error).toBeInstanceOf(LogConnectionException);
    expect(error).toMatchObject({ code: 'LOG_PROXY' });
    const { host } = new URL(proxy.url);
    expect(error.message).toBe(
      `The proxy ${host} did not connect to logscale.test (status 403). Check baseUrl, the rules of the proxy, and "proxy".`,
    );
  });
});

describe('A request to http:', () => {
  it('is forwarded by the proxy, and only the proxy receives its credentials', async () => {
    const service = await startService((_, response) => response.end(STATUS));
    const proxy = await startProxy({ port: service.port, credentials: CREDENTIALS });
    const caller = new WebCaller('http://logscale.test:8080/prefix', { proxy: proxy.url });
    const response = await caller.callRest('POST', 'x', { query: { a: 'b' }, data: { c: 1 } });
    expect(await response.json()).toMatchObject({ status: 'OK' });
    expect(proxy.requests).toEqual(['POST http://logscale.test:8080/prefix/api/v1/x?a=b']);
    expect(service.requests[0]).toMatchObject({
      path: '/prefix/api/v1/x',
      text: '{"c":1}',
      headers: { host: 'logscale.test:8080' },
    });
    expect(service.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  it('is forwarded by a proxy over TLS', async () => {
    const service = await startService((_, response) => response.end(STATUS));
    const proxy = await startProxy({ port: service.port, isSecure: true });
    expect(await status('http://logscale.test', { proxy: proxy.url, ca: CA })).toMatchObject({
      status: 'OK',
    });
  });
});

it("reports an error of the service as the service's own, not as one of the proxy", async () => {
  const { port } = new URL((await startService((_, response) => response.writeHead(500).end('full'))).url);
  const proxy = await startProxy({ port: Number(port) });
  const error = await failure(status('http://logscale.test', { proxy: proxy.url }));
  expect(error).toBeInstanceOf(LogHTTPException);
  expect(error).toMatchObject({ statusCode: 500, body: 'full' });
  expect(error.message).not.toMatch(/proxy/i);
});

describe.each(['http://logscale.test', 'https://logscale.test'])('A request to %s', (baseUrl) => {
  it('fails with status 407 and the name of the option or variable if the credentials are wrong', async () => {
    const { url } = await startProxy({ port: 1, credentials: CREDENTIALS });
    const wrong = url.replace('shop:', 'shop:not-');
    const error = await failure(status(baseUrl, { proxy: wrong }));
    expect(error).toBeInstanceOf(LogHTTPException);
    expect(error).toMatchObject({ statusCode: 407 });
    const { host } = new URL(url);
    const message = `The proxy ${host} requires authentication (status 407). Check the user name and password in `;
    expect(error.message).toBe(`${message}"proxy".`);
    vi.stubEnv('HTTP_PROXY', wrong);
    vi.stubEnv('HTTPS_PROXY', wrong);
    expect((await failure(status(baseUrl, {}))).message).toMatch(/in HTTPS?_PROXY\.$/);
  });

  it("fails with LOG_PROXY if nothing is listening at the proxy's address", async () => {
    const host = `127.0.0.1:${await closedPort()}`;
    const error = await failure(status(baseUrl, { proxy: `http://me:hunter2hunter2@${host}` }));
    expect(error).toBeInstanceOf(LogConnectionException);
    expect(error).toMatchObject({ code: 'LOG_PROXY', cause: { code: 'ECONNREFUSED' } });
    expect(error.message).toBe(`The connection to the proxy ${host} failed (ECONNREFUSED). Check "proxy".`);
  });

  it('uses the proxy in the environment, except for hosts in NO_PROXY', async () => {
    const proxy = await startProxy({ port: 1, connectStatus: 503 });
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    await failure(status(baseUrl, {}));
    expect(proxy.requests).toHaveLength(1);
    vi.stubEnv('NO_PROXY', '.test');
    const direct = await failure(status(baseUrl, {}));
    expect(direct.message).toContain('The host name logscale.test could not be resolved');
    expect(proxy.requests).toHaveLength(1);
  });

  it("uses undici's global dispatcher instead of the proxy in the environment", async () => {
    const before = getGlobalDispatcher();
    onTestFinished(() => setGlobalDispatcher(before));
    const mock = new MockAgent();
    mock.disableNetConnect();
    mock.get(baseUrl).intercept({ path: '/api/v1/status' }).reply(200, STATUS);
    setGlobalDispatcher(mock);
    const proxy = await startProxy({ port: 1, connectStatus: 503 });
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    expect(await status(baseUrl, {})).toMatchObject({ status: 'OK' });
    expect(proxy.requests).toEqual([]);
    await failure(status(baseUrl, { proxy: proxy.url }));
    expect(proxy.requests).toHaveLength(1);
  });
});

it("the User-Agent header contains the client name and the package's name and version", async () => {
  const service = await startService((_, response) => response.end(STATUS));
  await status(service.url, {});
  await status(service.url, { clientName: 'shop/1.4.2' });
  await status(service.url, { clientName: 'shop', headers: { 'User-Agent': 'own' } });
  expect(service.requests.map(({ headers }) => headers['user-agent'])).toEqual([
    `logclient/${version}`,
    `shop/1.4.2 logclient/${version}`,
    'own',
  ]);
});
