import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  type LocalServerOptions,
  type NgsiemOptions,
  type NgsiemServer,
  startLocalServer,
} from '../../src/server/index.ts';
import type { Poll } from './query-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);

let server: NgsiemServer;
afterEach(() => server?.close());

async function start(ngsiem: NgsiemOptions = {}, options: { dataDir?: string } = {}): Promise<void> {
  server = await startLocalServer({ ngsiem, now: NOW, ...options });
}

function requestToken(fields: Record<string, string> = {}): Promise<Response> {
  const { clientId: client_id, clientSecret: client_secret } = server;
  return fetch(`${server.url}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, ...fields }),
  });
}

async function newToken(): Promise<string> {
  const response = await requestToken();
  return ((await response.json()) as { access_token: string }).access_token;
}

async function call(path: string, init: RequestInit & { token?: string } = {}): Promise<Response> {
  const token = init.token ?? (await newToken());
  return fetch(`${server.url}/humio/api/v1/repositories/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
  });
}

function search(body: Record<string, unknown>, repository = 'search-all'): Promise<Response> {
  return call(`${repository}/queryjobs`, { method: 'POST', body: JSON.stringify(body) });
}

async function resultOf(queryString: string, repository?: string): Promise<Poll> {
  const { id } = (await (await search({ queryString }, repository)).json()) as { id: string };
  return (await (await call(`${repository ?? 'search-all'}/queryjobs/${id}`)).json()) as Poll;
}

async function sendHec(event: unknown, token = server.hecToken): Promise<string> {
  const response = await fetch(server.hecUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ event }),
  });
  return `${response.status} ${await response.text()}`;
}

interface FalconFailure {
  readonly meta: { readonly powered_by: string; readonly trace_id: string };
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

/** The status of a failed response and the message of its only error. */
async function failureOf(response: Response): Promise<string> {
  const { errors, meta } = (await response.json()) as FalconFailure;
  expect(errors).toEqual([{ code: response.status, message: expect.any(String) }]);
  expect(meta.trace_id).toBe(response.headers.get('x-cs-traceid'));
  return `${response.status} ${errors[0]!.message}`;
}

describe('POST /oauth2/token', () => {
  it('records rejected requests with advice about API clients', async () => {
    await start({ scopes: ['ngsiem:read'] });
    await requestToken({ client_secret: 'wrong' });
    await requestToken({ member_cid: 'other' });
    await call('search-all/queryjobs', { token: 'expired' });
    await call('search-all/queryjobs', { method: 'POST' });
    expect(server.inspect.rejections().map(({ status, fix }) => `${status} ${fix}`)).toEqual([
      expect.stringMatching(/^403 Use the client ID and secret of this server/),
      expect.stringMatching(/^403 Send no member_cid, or set .*"ngsiem.memberCid"/),
      expect.stringMatching(/^401 Request an access token from \/oauth2\/token/),
      '403 Add ngsiem:write to the option "ngsiem.scopes" of the server.',
    ]);
  });

  it('issues a JWT with iat and exp in seconds', async () => {
    await start();
    const response = await requestToken();
    expect(response.status).toBe(201);
    const body = (await response.json()) as { access_token: string };
    expect(body).toEqual({ access_token: expect.any(String), expires_in: 1800, token_type: 'bearer' });
    const [, claims = ''] = body.access_token.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      client_id: server.clientId,
      iat: NOW / 1000,
      exp: NOW / 1000 + 1800,
    });
  });

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, '403 Failed to issue access token - Not Authorized'],
    ['a wrong ID', { client_id: 'wrong' }, '403 Failed to issue access token - Not Authorized'],
    [
      'an unknown member CID',
      { member_cid: 'ABC' },
      '403 Failed to generate access token for customer ID="ABC"',
    ],
    [
      'no ID',
      { client_id: '' },
      '400 The form field client_id is missing. Send application/x-www-form-urlencoded.',
    ],
    [
      'another grant',
      { grant_type: 'password' },
      '400 The grant_type must be client_credentials (got "password").',
    ],
  ])('rejects %s', async (_, fields, failure) => {
    await start({ memberCid: 'MEMBER' });
    expect(await failureOf(await requestToken(fields))).toBe(failure);
  });

  it('accepts the member CID in the options', async () => {
    await start({ memberCid: 'MEMBER' });
    expect((await requestToken({ member_cid: 'MEMBER' })).status).toBe(201);
  });

  it('rejects a body that is not a form', async () => {
    await start();
    const { clientId, clientSecret } = server;
    const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
    const response = await fetch(`${server.url}/oauth2/token`, { method: 'POST', body });
    expect(response.status).toBe(400);
  });

  it('returns the region and a trace ID in the headers', async () => {
    await start({ region: 'eu-1' });
    const { headers } = await requestToken();
    expect(headers.get('x-cs-region')).toBe('eu-1');
    expect(headers.get('x-cs-traceid')).toMatch(/^[\da-f-]{36}$/);
    expect(headers.get('x-ratelimit-limit')).toBe('300');
  });

  it('returns another region through a scripted fault', async () => {
    await start();
    const location = 'https://api.eu-1.crowdstrike.com/oauth2/token';
    const headers = { location, 'x-cs-region': 'eu-1' };
    server.faults.add({ path: '/oauth2/token', status: 308, headers, times: 1 });
    const response = await fetch(`${server.url}/oauth2/token`, { method: 'POST', redirect: 'manual' });
    expect([response.status, response.headers.get('x-cs-region')]).toEqual([308, 'eu-1']);
  });
});

describe('Access token', () => {
  it('is required under /humio, even for unknown paths', async () => {
    await start();
    for (const path of ['search-all/queryjobs/1', 'search-all/nothing']) {
      expect(await failureOf(await call(path, { token: 'wrong' }))).toBe(
        '401 access denied, invalid bearer token',
      );
    }
  });

  it('expires after tokenLifetimeMs', async () => {
    await start({ tokenLifetimeMs: 2_500 });
    const response = await requestToken();
    const { access_token: token, expires_in } = (await response.json()) as {
      access_token: string;
      expires_in: number;
    };
    expect(expires_in).toBe(2);
    server.clock.advance(2_499);
    expect((await call('search-all/queryjobs/1', { token })).status).toBe(404);
    server.clock.advance(1);
    expect((await call('search-all/queryjobs/1', { token })).status).toBe(401);
  });

  it.each(['basic', 'form'])('can be revoked with %s credentials', async (kind) => {
    await start();
    const token = await newToken();
    const { clientId, clientSecret } = server;
    const credentials = { client_id: clientId, client_secret: clientSecret };
    const response = await fetch(`${server.url}/oauth2/revoke`, {
      method: 'POST',
      headers: kind === 'basic' ? { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` } : {},
      body: new URLSearchParams({ token, ...(kind === 'form' && credentials) }),
    });
    expect(response.status).toBe(200);
    expect((await call('search-all/queryjobs/1', { token })).status).toBe(401);
  });

  it('is not accepted by the HEC connector, and the HEC key is not an access token', async () => {
    await start();
    expect(await sendHec({ a: 1 }, await newToken())).toMatch(/^401 /);
    expect((await call('search-all/queryjobs/1', { token: server.hecToken })).status).toBe(401);
  });

  it('permits only what its scopes allow', async () => {
    await start({ scopes: ['ngsiem:read'] });
    expect(await failureOf(await search({ queryString: '*' }))).toBe(
      '403 access denied, authorization failed',
    );
    expect((await call('search-all/queryjobs/1')).status).toBe(404);
    await server.close();
    await start({ scopes: ['ngsiem:write'] });
    expect((await search({ queryString: '*' })).status).toBe(200);
    expect((await call('search-all/queryjobs/1')).status).toBe(403);
  });
});

describe('Next-Gen SIEM search', () => {
  it('finds an event from the HEC connector in each repository', async () => {
    await start();
    expect(await sendHec({ message: 'hello' })).toBe('200 {"text":"Success","code":0}');
    for (const repository of ['search-all', 'investigate_view', 'third-party']) {
      const { done, events } = await resultOf('message=hello', repository);
      expect({ done, events }).toMatchObject({
        done: true,
        events: [{ message: 'hello', '#repo': 'third-party' }],
      });
    }
    expect(server.inspect.events()).toMatchObject([{ message: 'hello' }]);
  });

  it('fails with status 404 in an unknown repository or a view that only LogScale has', async () => {
    await start();
    for (const repository of ['nosuch', 'humio-search-all', 'humio-audit']) {
      expect((await search({ queryString: '*' }, repository)).status).toBe(404);
    }
  });

  it('returns an ID and a hash when created, and an empty 200 response when deleted', async () => {
    await start();
    const created = (await (await search({ queryString: '*' })).json()) as { id: string };
    expect(created).toEqual({ id: expect.any(String), hashedQueryOnView: expect.any(String) });
    const deleted = await call(`search-all/queryjobs/${created.id}`, { method: 'DELETE' });
    expect([deleted.status, await deleted.text()]).toEqual([200, '']);
    expect(server.inspect.jobs()).toEqual([]);
  });

  it('returns no events and no diagnostics for an invalid query', async () => {
    await start();
    await sendHec({ message: 'hello' });
    const queryString = 'message=* | nonsense(';
    const response = await search({ queryString });
    expect(response.status).toBe(200);
    expect(server.inspect.jobs()).toMatchObject([{ queryString }]);
    const { done, events, metaData } = await resultOf(queryString);
    expect({ done, events, warnings: metaData.warnings }).toEqual({ done: true, events: [], warnings: [] });
    expect(JSON.stringify(metaData)).not.toContain('test(');
    expect(server.inspect.rejections()).toMatchObject([
      { status: 200, reason: expect.stringMatching(/^Expected a value, .*\(line 1, column 22\)$/), count: 2 },
    ]);
  });

  it('returns no events for a query with more than 100 pipes', async () => {
    await start();
    await sendHec({ message: 'hello' });
    const steps = (count: number): string => Array(count).fill('message=*').join('|');
    expect((await resultOf(steps(101))).events).toHaveLength(1);
    expect((await resultOf(steps(102))).events).toEqual([]);
    expect(server.inspect.rejections()).toMatchObject([
      { reason: 'Next-Gen SIEM rejects queries with more than 100 pipes, and this one has 101.' },
    ]);
  });

  it('fails with status 400 for an invalid member', async () => {
    await start();
    const response = await search({ queryString: '*', start: 'yesterday-ish' });
    expect(response.status).toBe(400);
  });
});

describe('Rate limit', () => {
  it('is reported in the headers of every response under /humio', async () => {
    await start({ rateLimit: 10 });
    const token = await newToken();
    const remaining: unknown[] = [];
    for (let request = 0; request < 3; request++) {
      const { headers } = await call('search-all/queryjobs/1', { token });
      remaining.push(`${headers.get('x-ratelimit-remaining')} of ${headers.get('x-ratelimit-limit')}`);
    }
    expect(remaining).toEqual(['9 of 10', '8 of 10', '7 of 10']);
  });

  it('is enforced with status 429 and the time at which requests succeed again', async () => {
    await start({ rateLimit: 2 });
    const token = await newToken();
    const ask = (): Promise<Response> => call('search-all/queryjobs/1', { token });
    await ask();
    server.clock.advance(10_000);
    await ask();
    const limited = await ask();
    const retryAfter = Number(limited.headers.get('x-ratelimit-retryafter'));
    expect(await failureOf(limited)).toBe('429 API rate limit exceeded.');
    expect(retryAfter).toBe(NOW / 1000 + 60);
    server.clock.set(retryAfter * 1000);
    expect((await ask()).status).toBe(404);
    expect((await ask()).status).toBe(429);
  });
});

describe('HEC connector', () => {
  it('reports the number of the first invalid event and stores none', async () => {
    await start();
    const send = async (body: string): Promise<string> => {
      const headers = { authorization: `Splunk ${server.hecToken}` };
      const response = await fetch(server.hecUrl, { method: 'POST', headers, body });
      return `${response.status} ${await response.text()}`;
    };
    const invalid = '400 {"text":"Invalid data format","code":6,"invalid-event-number":1}';
    expect(await send('{"event":"a"}{"event":"b","time":"soon"}{"event":"c"}')).toBe(invalid);
    expect(await send('{"event":"a"}{"event":')).toBe(invalid);
    server.faults.add({ path: '/services/collector', refuseEvents: 'poison' });
    expect(await send('{"event":"a"}{"event":"poison"}')).toBe(invalid);
    expect(server.inspect.store().events).toBe(0);
  });

  it('reports its health without a key', async () => {
    await start();
    expect((await fetch(`${server.hecUrl}/health`)).status).toBe(200);
  });
});

describe('Lookup file in Next-Gen SIEM', () => {
  it('can be uploaded, downloaded and used in a query', async () => {
    await start();
    const form = new FormData();
    form.set('file', new Blob(['user,team\nbob,blue\n']), 'teams.csv');
    expect((await call('search-all/files', { method: 'POST', body: form })).status).toBe(200);
    expect(await (await call('search-all/files/teams.csv')).text()).toBe('user,team\nbob,blue\n');
    await sendHec({ user: 'bob' });
    const { events } = await resultOf('match(file="teams.csv", field=user) | select([team])');
    expect(events).toEqual([{ team: 'blue' }]);
  });
});

describe('Server that emulates Next-Gen SIEM', () => {
  it.each([
    'graphql',
    'humio/graphql',
    'humio/api/v1/repositories/search-all/query',
    'api/v1/repositories/third-party/queryjobs',
    'api/v1/ingest/humio-structured',
    'humio/api/v1/ingest/humio-structured',
    'api/v1/ingest/hec',
  ])('returns 404 for POST /%s', async (path) => {
    await start();
    const headers = { authorization: `Bearer ${await newToken()}` };
    const response = await fetch(`${server.url}/${path}`, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('This local server emulates Next-Gen SIEM');
  });

  it('keeps credentials and events in dataDir', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'logclient-ngsiem-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    await start({}, { dataDir });
    await sendHec({ message: 'kept' });
    const { auth, hecToken } = server;
    await server.close();
    await start({}, { dataDir });
    expect([server.auth, server.hecToken]).toEqual([auth, hecToken]);
    expect((await resultOf('message=kept')).events).toHaveLength(1);
  });

  it('works without a port', async () => {
    server = await startLocalServer({ ngsiem: true, listen: false });
    const { clientId: client_id, clientSecret: client_secret } = server.auth;
    const body = new URLSearchParams({ client_id, client_secret });
    const response = await server.fetch('https://api.crowdstrike.com/oauth2/token', { method: 'POST', body });
    expect(response.status).toBe(201);
  });

  it('uses the credentials in the options', async () => {
    const options = { clientId: 'id', clientSecret: 'secret', hecToken: 'key' };
    await start(options);
    expect(server).toMatchObject({ ...options, auth: { clientId: 'id', clientSecret: 'secret' } });
    expect(server).not.toHaveProperty('userToken');
    expect((await requestToken()).status).toBe(201);
  });

  it.each([
    [{ ngsiem: 1 }, '"ngsiem" must be true, false or an object of options (got 1)'],
    [{ ngsiem: { secret: 'x' } }, 'has no option "secret"'],
    [{ ngsiem: { scopes: ['all'] } }, '"ngsiem.scopes" must be one of ngsiem:read, ngsiem:write'],
    [{ ngsiem: { tokenLifetimeMs: 0 } }, '"ngsiem.tokenLifetimeMs" must be a whole number of at least 1'],
    [{ ngsiem: true, userToken: 't' }, '"userToken" can\'t be combined with "ngsiem"'],
    [{ ngsiem: true, repository: 'r' }, '"repository" can\'t be combined with "ngsiem"'],
  ])('rejects the options %j', async (options, problem) => {
    await expect(startLocalServer(options as LocalServerOptions)).rejects.toThrow(problem);
  });
});
