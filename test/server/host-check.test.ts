import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';

type Options = NonNullable<Parameters<typeof startLocalServer>[0]>;

async function startServer(options: Options = {}) {
  const server = await startLocalServer({ ...options, ngsiem: false });
  onTestFinished(() => server.close());
  return server;
}

/** A request with headers that `fetch` would not send. */
async function send(
  url: string,
  { headers, method = 'GET', body = '' }: { headers: Record<string, string>; method?: string; body?: string },
): Promise<{ status: number | undefined; body: string }> {
  const { hostname, port, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: pathname + search, method, headers }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode, body: answer }), reject);
    });
    sent.on('error', reject).end(body);
  });
}

function ingest(server: { url: string; ingestToken: string }, headers: Record<string, string>) {
  return send(`${server.url}/api/v1/ingest/humio-structured`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.ingestToken}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify([{ tags: {}, events: [{ timestamp: Date.now(), attributes: { msg: 'hi' } }] }]),
  });
}

describe('Server on a loopback address', () => {
  it('rejects requests for another host name with 403, including the web page', async () => {
    const server = await startServer();
    for (const path of ['/', '/page/page.js', '/api/v1/status', '/instance']) {
      const { status, body } = await send(server.url + path, { headers: { host: 'evil.example' } });
      expect([path, status]).toEqual([path, 403]);
      expect(body).toBe(
        'The host "evil.example" is not allowed. Use localhost or an IP address, or add the host to allowedHosts (--allow-host).',
      );
    }
    expect((await ingest(server, { host: 'evil.example:5647' })).status).toBe(403);
    expect(server.inspect.requests({ status: 403 })).toHaveLength(5);
  });

  it('stores records from programs, containers and pages on this computer', async () => {
    const server = await startServer();
    const headers: Record<string, string>[] = [
      {},
      { host: 'host.docker.internal:5647' },
      { host: 'logs.localhost' },
      { origin: 'http://localhost:5173' },
    ];
    for (const own of headers) expect((await ingest(server, own)).status).toBe(200);
  });

  it('stores no record from a page of another site, even with a valid token', async () => {
    const server = await startServer();
    expect((await ingest(server, { origin: 'https://evil.example' })).status).toBe(403);
    expect(server.inspect.events()).toEqual([]);
  });

  it('accepts the hosts of allowedHosts', async () => {
    const server = await startServer({ allowedHosts: ['logs.example.com'] });
    const headers = { host: 'logs.example.com', origin: 'https://logs.example.com' };
    expect((await ingest(server, headers)).status).toBe(200);
  });

  it.each([['https://logs.example.com'], ['logs.example.com:80'], ['*'], [7], 'logs.example.com'])(
    'rejects the option allowedHosts: %j',
    async (allowedHosts) => {
      const options = { allowedHosts } as unknown as Options;
      await expect(startServer(options)).rejects.toThrow(
        '"allowedHosts" must be an array of host names without protocol, port or "*"',
      );
    },
  );
});

describe('Server on all addresses', () => {
  it('accepts every host, but rejects records from pages of other hosts', async () => {
    const server = await startServer({ host: '0.0.0.0' });
    expect((await ingest(server, { host: 'laptop.lan' })).status).toBe(200);
    const origin = 'http://laptop.lan:5647';
    expect((await ingest(server, { host: 'laptop.lan:5647', origin })).status).toBe(200);
    expect((await ingest(server, { host: 'laptop.lan', origin: 'https://evil.example' })).status).toBe(403);
  });
});

it('a server that emulates Next-Gen SIEM also rejects other host names with 403', async () => {
  const server = await startLocalServer({ ngsiem: true });
  onTestFinished(() => server.close());
  const { status } = await send(`${server.url}/oauth2/token`, { headers: { host: 'evil.example' } });
  expect(status).toBe(403);
});

it('onRequest and onWarning never receive a token from a request', async () => {
  const seen: string[] = [];
  const server = await startServer({
    onRequest: (one) => seen.push(JSON.stringify(one)),
    onWarning: (message) => seen.push(message),
  });
  const tokens = [server.userToken, server.ingestToken, 'wrong-token-1234567890'];
  for (const token of tokens) {
    const basic = Buffer.from(`:${token}`).toString('base64');
    for (const authorization of [`Bearer ${token}`, `Basic ${basic}`, `Splunk ${token}`, token]) {
      const headers = { authorization, 'x-token': token, origin: `https://${token}@evil.example` };
      for (const path of ['/graphql', '/services/collector', '/api/v1/health', '/unknown']) {
        for (const method of ['GET', 'POST']) {
          await send(`${server.url}${path}?token=${token}`, { method, headers, body: `{"token":"${token}"` });
        }
      }
    }
  }
  expect(seen.length).toBeGreaterThan(50);
  const found = tokens.filter((token) => seen.some((line) => line.includes(token)));
  expect(found).toEqual([]);
});
