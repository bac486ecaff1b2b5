import { afterEach, describe, expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type NgsiemOptions, type NgsiemServer, startLocalServer } from '../../src/server/index.ts';
import { holdTimers } from '../helpers/hand-timers.ts';

let server: NgsiemServer;
afterEach(() => server?.close());

const NOW = Date.UTC(2026, 1, 3, 9);

/** A server with events `n` from 0, a second apart, oldest first. */
async function start(count: number, ngsiem: NgsiemOptions = {}): Promise<void> {
  server = await startLocalServer({ ngsiem, now: NOW });
  if (count === 0) return;
  const records = Array.from({ length: count }, (_, n) => ({
    time: (NOW - (count - n) * 1000) / 1000,
    event: { n: String(n) },
  }));
  const response = await fetch(server.hecUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.hecToken}` },
    body: records.map((record) => JSON.stringify(record)).join('\n'),
  });
  expect(response.status).toBe(200);
}

interface Traffic {
  readonly client: LogClient;
  /** `METHOD status` of each call, with `token` for token requests. */
  readonly calls: string[];
  /** Revokes the access token of the last call. */
  revokeToken(): Promise<void>;
}

/** A client whose access token is revoked before the calls that the function selects. */
function openClient(revokesBefore: (call: number, method: string) => boolean = () => false): Traffic {
  const calls: string[] = [];
  let count = 0;
  let authorization = '';
  const client = new LogClient({
    baseUrl: server.url,
    auth: server.auth,
    repository: server.repository,
    fetch: async (url, init) => {
      const isToken = url.endsWith('/oauth2/token');
      if (!isToken) authorization = init.headers.authorization!;
      if (!isToken && revokesBefore(count++, init.method)) await revoke(authorization);
      const response = await fetch(url, init);
      calls.push(`${isToken ? 'token' : init.method} ${response.status}`);
      return response as never;
    },
  });
  return { client, calls, revokeToken: () => revoke(authorization) };
}

async function revoke(authorization: string): Promise<void> {
  const response = await fetch(`${server.url}/oauth2/revoke`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: server.clientId,
      client_secret: server.clientSecret,
      token: authorization.replace('Bearer ', ''),
    }),
  });
  expect(response.status).toBe(200);
}

const tokensIn = (calls: readonly string[]): number => calls.filter((call) => call === 'token 201').length;
const rejectedIn = (calls: readonly string[]): number => calls.filter((call) => call.endsWith(' 401')).length;

describe('query() on Next-Gen SIEM', () => {
  it('returns every event once, newest first, if a token expires before every third call', async () => {
    await start(900);
    const { client, calls } = openClient((call) => call % 3 === 2);
    const rows = await client.query('n=*');
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 900 }, (_, n) => String(899 - n)));
    expect(rejectedIn(calls)).toBeGreaterThan(3);
    // Calls that are rejected at the same time share a new token.
    expect(tokensIn(calls)).toBeLessThanOrEqual(1 + rejectedIn(calls));
  });

  it.each(['POST', 'GET', 'DELETE'])(
    'renews a token that expires before the first %s request',
    async (method) => {
      await start(3);
      let isFirst = true;
      const { client, calls } = openClient((_call, current) => {
        if (current !== method || !isFirst) return false;
        isFirst = false;
        return true;
      });
      expect(await client.query('n=*')).toHaveLength(3);
      await expect.poll(() => calls).toContain('DELETE 200');
      expect(calls.filter((call) => call === `${method} 401`)).toHaveLength(1);
      expect(tokensIn(calls)).toBe(2);
    },
  );

  it('renews a revoked token once for ten concurrent calls', async () => {
    await start(3);
    const { client, calls, revokeToken } = openClient();
    await client.query('n=*');
    await revokeToken();
    const results = await Promise.all(Array.from({ length: 10 }, () => client.query('n=*')));
    expect(results.map((rows) => rows.length)).toEqual(Array.from({ length: 10 }, () => 3));
    expect(rejectedIn(calls)).toBe(10);
    expect(tokensIn(calls)).toBe(2);
  });

  it('retries a 429 with Retry-After', async () => {
    await start(3);
    server.faults.add({ method: 'POST', path: 'queryjobs', status: 429, retryAfter: 1, times: 1 });
    const { client, calls } = openClient();
    const pauses = holdTimers(1_000);
    const rows = client.query('n=*');
    await pauses.fire();
    expect(await rows).toHaveLength(3);
    expect(calls.slice(0, 3)).toEqual(['token 201', 'POST 429', 'POST 200']);
  });
});

describe('Client credentials for an emulated Next-Gen SIEM', () => {
  it('fail with a hint to check clientId and clientSecret if the secret is wrong', async () => {
    await start(0);
    const client = new LogClient({
      baseUrl: server.url,
      auth: { ...server.auth, clientSecret: 'not-the-secret' },
      repository: 'search-all',
    });
    await expect(client.query('*')).rejects.toThrow(
      `The service rejected the API client ${server.clientId} (status 403: Failed to issue access token - Not Authorized): check clientId and clientSecret`,
    );
  });

  it('fail with an error that names an unknown member CID', async () => {
    await start(0);
    const auth = { ...server.auth, memberCid: 'nobody' };
    const client = new LogClient({ baseUrl: server.url, auth, repository: 'search-all' });
    await expect(client.query('*')).rejects.toThrow('The member CID nobody is unknown, or the API client');
  });

  it('fail with an error that names the required scopes', async () => {
    await start(0, { scopes: ['ngsiem:read'] });
    const client = new LogClient({ baseUrl: server.url, auth: server.auth, repository: 'search-all' });
    await expect(client.query('*')).rejects.toThrow(
      'lacks a permission (status 403: access denied, authorization failed): give it the scopes NGSIEM Read and NGSIEM Write',
    );
  });

  it('allow uploading and downloading lookup files', async () => {
    await start(0);
    const { client } = openClient();
    await client.uploadFile({ name: 'hosts.csv', content: 'name,owner\nweb,ada\n' });
    expect(await client.getFile('hosts.csv', { encoding: 'utf-8' })).toBe('name,owner\nweb,ada\n');
    await expect(client.getFile('falcon/helper/hosts.csv')).rejects.toThrow('no file with this name');
  });
});
