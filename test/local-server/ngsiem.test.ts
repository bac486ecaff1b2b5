import { afterEach, describe, expect, it } from 'vitest';
import { type NgsiemOptions, type NgsiemServer, startLocalServer } from '../../src/local-server/index.ts';
import type { Poll } from './query-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);

let server: NgsiemServer;
afterEach(() => server?.close());

async function start(ngsiem: NgsiemOptions = {}): Promise<void> {
  server = await startLocalServer({ ngsiem, now: NOW });
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

describe('a server that emulates Next-Gen SIEM', () => {
  it('finds an event of the HEC connector in each of its repositories', async () => {
    await start();
    expect(await sendHec({ message: 'hello' })).toBe('200 {"text":"Success","code":0}');
    for (const repository of ['search-all', 'investigate_view', 'third-party']) {
      const { done, events } = await resultOf('message=hello', repository);
      expect({ done, events }).toMatchObject({ done: true, events: [{ message: 'hello' }] });
    }
    expect(server.inspect.events()).toMatchObject([{ message: 'hello' }]);
  });
});
