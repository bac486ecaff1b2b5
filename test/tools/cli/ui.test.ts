import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PAGE_OPERATIONS } from '../../../src/core/wire/page-operations.ts';
import { type LocalServer, type NgsiemServer, startLocalServer } from '../../../src/server/index.ts';
import { accessTo, type RunningCommand, runCommand, startCommand } from '../../helpers/cli-run.ts';
import { eventually } from '../../helpers/eventually.ts';

interface Ui {
  readonly command: RunningCommand;
  readonly origin: string;
  readonly token: string;
  readonly state: URLSearchParams;
}

async function startUi(env: Record<string, string>, ...flags: string[]): Promise<Ui> {
  const command = startCommand(['ui', '--port', '0', ...flags], { env });
  await eventually(() => expect(command.output.stdout + command.output.stderr).toContain('Ctrl-C'));
  const url = new URL(/^ {2}page +(\S+)/m.exec(command.output.stdout)![1]!);
  const state = new URLSearchParams(url.hash.slice(1));
  return { command, origin: url.origin, token: state.get('token')!, state };
}

async function startServer(): Promise<LocalServer> {
  const server = await startLocalServer({ repository: 'shop' });
  onTestFinished(() => server.close());
  return server;
}

async function startNgsiem(): Promise<NgsiemServer> {
  const server = await startLocalServer({ ngsiem: true });
  onTestFinished(() => server.close());
  return server;
}

function ngsiemAccess({ url, clientId, clientSecret }: NgsiemServer): Record<string, string> {
  return { FALCON_BASE_URL: url, FALCON_CLIENT_ID: clientId, FALCON_CLIENT_SECRET: clientSecret };
}

async function sendRecord(server: LocalServer, msg: string): Promise<void> {
  const events = [{ timestamp: Date.now(), attributes: { level: 'info', msg } }];
  const response = await fetch(`${server.url}/api/v1/ingest/humio-structured`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.ingestToken}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ tags: {}, events }]),
  });
  expect(response.status).toBe(200);
}

/** A request of the page; a `body` makes it a POST. */
function send(
  { origin, token }: Pick<Ui, 'origin' | 'token'>,
  path: string,
  { body, method = body === undefined ? 'GET' : 'POST', headers = {} }: SendOptions = {},
): Promise<Response> {
  return fetch(`${origin}/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

interface SendOptions {
  readonly body?: object;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

const SHOP = 'api/v1/repositories/shop';

describe('logclient ui', () => {
  it('prints a link with its own token and serves the page with the URL of the service', async () => {
    const server = await startServer();
    const ui = await startUi(accessTo(server));
    expect(Object.fromEntries(ui.state)).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      repo: 'shop',
      live: 'off',
    });
    const response = await fetch(ui.origin);
    expect(await response.text()).toContain(`<meta name="logclient-service" content="${server.url}/">`);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self';/,
    );
    ui.command.kill('SIGINT');
    expect(await ui.command.ended).toBe(0);
  });

  it('sends the script of the page compressed, to be kept until there is a new version', async () => {
    const ui = await startUi(accessTo(await startServer()));
    const [, script] = /src="(page\/page\.js\?v=[^"]+)"/.exec(await (await fetch(ui.origin)).text())!;
    const get = (headers: Record<string, string>, method = 'GET') =>
      fetch(`${ui.origin}/${script}`, { headers, method });
    const zipped = await get({ 'accept-encoding': 'gzip' });
    const plain = await get({ 'accept-encoding': 'identity' });
    expect(await zipped.text()).toBe(await plain.text());
    expect([zipped, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', null]);
    expect(zipped.headers.get('cache-control')).toBe('max-age=31536000, immutable');
    const head = await get({ 'accept-encoding': 'gzip' }, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([
      200,
      zipped.headers.get('content-length'),
    ]);
    const etag = zipped.headers.get('etag')!;
    expect((await get({ 'accept-encoding': 'gzip', 'if-none-match': etag })).status).toBe(304);
  });

  it('forwards query jobs and GraphQL requests with its credentials', async () => {
    const server = await startServer();
    await sendRecord(server, 'hello');
    const ui = await startUi(accessTo(server));
    const created = await send(ui, `${SHOP}/queryjobs`, { body: { queryString: 'count()', start: '1h' } });
    const { id } = (await created.json()) as { id: string };
    await eventually(async () => {
      const job = (await (await send(ui, `${SHOP}/queryjobs/${id}`)).json()) as { events: object[] };
      expect(job.events).toEqual([{ _count: '1' }]);
    });
    expect((await send(ui, `${SHOP}/queryjobs/${id}`, { method: 'DELETE' })).status).toBe(204);
    const answer = await send(ui, 'graphql', { body: { query: PAGE_OPERATIONS.searchDomains } });
    expect(await answer.text()).toContain('"name":"shop"');
  });

  it('forwards each event of a live stream as it arrives, and ends the stream when the reader aborts', async () => {
    const server = await startServer();
    const ui = await startUi(accessTo(server));
    const reading = new AbortController();
    const { body } = await fetch(`${ui.origin}/${SHOP}/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ui.token}`, accept: 'application/x-ndjson' },
      body: JSON.stringify({ queryString: '', start: '1h', isLive: true }),
      signal: reading.signal,
    });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    for (const msg of ['first', 'second']) {
      await sendRecord(server, msg);
      let chunk = '';
      while (!chunk.includes(msg)) chunk += (await reader.read()).value ?? '';
    }
    expect(server.inspect.store().liveStreams).toBe(1);
    reading.abort();
    await eventually(() => expect(server.inspect.store().liveStreams).toBe(0));
  });

  it('rejects requests without its token, even with the token of the service', async () => {
    const server = await startServer();
    const ui = await startUi(accessTo(server));
    for (const token of ['', 'x', server.userToken, `${ui.token}x`]) {
      const response = await send({ ...ui, token }, `${SHOP}/query`, { body: { queryString: '' } });
      expect(response.status).toBe(401);
      expect(await response.text()).toContain('Open the link that "logclient ui" printed');
    }
    expect(server.inspect.requests({ path: /\/query$/ })).toEqual([]);
  });

  it('responds with 403 to requests that its page does not send', async () => {
    const server = await startServer();
    const ui = await startUi(accessTo(server));
    // The command has tried the service.
    await eventually(() => expect(server.inspect.requests().at(-1)?.method).toBe('DELETE'));
    const before = server.inspect.requests().length;
    const requests: [string, string, object?][] = [
      ['POST', `${SHOP}/ingest`, {}],
      ['GET', 'api/v1/users'],
      ['GET', `${SHOP}/files/a.csv`],
      ['DELETE', `${SHOP}/queryjobs`],
      ['PUT', `${SHOP}/queryjobs/x`, {}],
      ['POST', `${SHOP}/x/queryjobs`, {}],
      ['GET', `${SHOP}/queryjobs/..%2f..%2f..%2fusers/x`],
      ['POST', 'graphql', { query: '{ repository(name: "shop") { ingestTokens { token } } }' }],
      ['POST', 'graphql', { query: [PAGE_OPERATIONS.searchDomains] }],
    ];
    for (const [method, path, body] of requests) {
      const response = await send(ui, path, { method, ...(body && { body }) });
      expect([path, response.status]).toEqual([path, 403]);
      expect(await response.text()).toMatch(/^logclient ui (does not forward|forwards only)/);
    }
    expect(server.inspect.requests()).toHaveLength(before);
  });

  it('rejects unknown Host and Origin headers and accepts the host in --allow-host', async () => {
    const ui = await startUi(accessTo(await startServer()), '--allow-host', 'logs.example.com');
    const statusOf = (headers: Record<string, string>, method = 'GET') =>
      new Promise<number | undefined>((resolve, reject) => {
        const { hostname, port } = new URL(ui.origin);
        request({ hostname, port, method, headers }, (response) => {
          text(response).then(() => resolve(response.statusCode), reject);
        }).end();
      });
    expect(await statusOf({ host: 'evil.example' })).toBe(403);
    expect(await statusOf({ host: 'logs.example.com' })).toBe(200);
    expect(await statusOf({ origin: 'https://evil.example' }, 'POST')).toBe(403);
  });

  it('responds with the error of the service, and with 502 while the service is down', async () => {
    const server = await startServer();
    const ui = await startUi(accessTo(server));
    const query = (queryString: string) =>
      send(ui, `${SHOP}/queryjobs`, { body: { queryString, start: '1h' } });
    const invalid = await query('gruopBy(x)');
    expect([invalid.status, await invalid.text()]).toEqual([
      400,
      expect.stringContaining('(line 1, column 1)'),
    ]);
    server.faults.add({ status: 401, path: '/queryjobs', times: 1 });
    const rejected = await query('');
    expect(rejected.status).toBe(403);
    expect(await rejected.text()).toContain('rejected the token from LOGSCALE_TOKEN');
    await server.close();
    const unreachable = await query('');
    expect([unreachable.status, await unreachable.text()]).toEqual([
      502,
      expect.stringMatching(/^(nothing is listening at|can't reach) http/),
    ]);
  });

  it('never shows the credentials in its output, page or responses', async () => {
    const server = await startServer();
    const ui = await startUi(accessTo(server));
    const texts = [ui.command.output.stdout, ui.command.output.stderr, await (await fetch(ui.origin)).text()];
    for (const path of ['nowhere', `${SHOP}/queryjobs/x`, 'graphql']) {
      const response = await send(ui, path);
      texts.push(await response.text(), JSON.stringify([...response.headers]));
    }
    expect(texts.join('\n')).not.toContain(server.userToken);
  });

  it('exits with 4 if the service rejects the token', async () => {
    const { url } = await startServer();
    const env = { LOGSCALE_URL: url, LOGSCALE_REPOSITORY: 'shop', LOGSCALE_TOKEN: 'wrong' };
    const { code, stdout, stderr } = await runCommand(['ui', '--port', '0'], { env });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain('rejected the token from LOGSCALE_TOKEN');
  });

  it('exits with 1 if its port is in use', async () => {
    const server = await startServer();
    const { port } = new URL(server.url);
    const { code, stderr } = await runCommand(['ui', '--port', port], { env: accessTo(server) });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `logclient: can't listen on port ${port}: it is in use. Set --port to another one; 0 picks a free one.\n`,
    });
  });
});

describe('logclient ui with Next-Gen SIEM', () => {
  it('forwards query jobs, but neither GraphQL requests nor streaming queries', async () => {
    const server = await startNgsiem();
    const ui = await startUi(ngsiemAccess(server));
    expect(ui.state.get('repo')).toBe('search-all');
    const path = 'api/v1/repositories/search-all';
    const created = await send(ui, `${path}/queryjobs`, { body: { queryString: '', start: '1h' } });
    expect(created.status).toBe(200);
    const { id } = (await created.json()) as { id: string };
    expect((await send(ui, `${path}/queryjobs/${id}`)).status).toBe(200);
    expect((await send(ui, `${path}/query`, { body: { queryString: '' } })).status).toBe(404);
    const graphql = await send(ui, 'graphql', { body: { query: PAGE_OPERATIONS.searchDomains } });
    expect(graphql.status).toBe(404);
    expect(ui.command.output.stdout).not.toContain(server.clientSecret);
  });

  it('rejects a syntax error that the service would run as a text search', async () => {
    const ui = await startUi(ngsiemAccess(await startNgsiem()));
    const body = { queryString: 'count(', start: '1h' };
    const response = await send(ui, 'api/v1/repositories/search-all/queryjobs', { body });
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/\(line 1, column \d+\)/);
  });
});
