import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';
import { callRest } from './service-calls.ts';

let server: Awaited<ReturnType<typeof startLocalServer>>;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.close());

describe('Status and health endpoints', () => {
  it('return status and version without a token', async () => {
    const response = await fetch(`${server.url}/api/v1/status`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({
      status: 'OK',
      version: expect.stringMatching(/^\d+\.\d+\.\d+--/),
    });
  });

  it('describe the server as plain text at the root URL', async () => {
    const response = await fetch(server.url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await response.text()).toMatch(/local server of logclient.*\/api\/v1\/.*\/graphql/s);
  });

  it.each(['/api/v1/is-node-up', '/services/collector/health', '/services/collector/health/1.0'])(
    'respond to the probe %s with a 200, with or without a token',
    async (path) => {
      expect((await fetch(`${server.url}${path}`)).status).toBe(200);
      const headers = { authorization: `Splunk ${server.ingestToken}` };
      expect((await fetch(`${server.url}${path}`, { headers })).status).toBe(200);
    },
  );

  it('return health-json for a user token only', async () => {
    const health = await (await callRest(server, 'health-json')).json();
    expect(health).toMatchObject({
      status: 'OK',
      uptime: expect.stringMatching(/^\d+s$/),
      version: expect.any(String),
      oks: [{ status: 'OK', fields: { repositories: '1' } }],
      warnings: [],
      down: [],
    });
    expect((await fetch(`${server.url}/api/v1/health-json`)).status).toBe(401);
    const headers = { authorization: `Bearer ${server.ingestToken}` };
    expect((await callRest(server, 'health-json', { headers })).status).toBe(403);
  });
});
