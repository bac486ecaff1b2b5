import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { startDelivery } from '../helpers/delivery.ts';

let tasks: (() => unknown)[];

vi.mock('next/server.js', () => ({
  after: (task: () => unknown) => void tasks.push(task),
  NextResponse: {},
}));

const { createIngestRoute } = await import('../../transports/web/next/index.ts');

beforeEach(() => {
  tasks = [];
});

function pageRequest(headers: Record<string, string> = {}): Request {
  const record = { timestamp: Date.now(), level: 'warn', message: 'slow page' };
  return new Request('http://app/logs', {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ records: [record] }),
  });
}

it('the ingest route sends browser records after the response', async () => {
  const { options, sink } = await startDelivery();
  const route = createIngestRoute({ ...options, flushIntervalMs: 3_600_000 });
  expect((await route(pageRequest())).status).toBe(204);
  expect(sink.events).toEqual([]);
  await Promise.all(tasks.map((task) => task()));
  expect(sink.events).toMatchObject([{ attributes: { level: 'warn', message: 'slow page' } }]);
});

it('the ingest route needs no token before the first request', async () => {
  for (const name of ['LOGSCALE_INGEST_TOKEN', 'LOGSCALE_TOKEN', 'HUMIO_TOKEN']) vi.stubEnv(name, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const route = createIngestRoute({ baseUrl: 'http://127.0.0.1:1' });
  await expect(route(pageRequest())).rejects.toThrow('needs a token');
});

it('the ingest route responds with 204 during next dev without any settings', async () => {
  vi.stubEnv('NODE_ENV', 'development');
  for (const name of ['LOGSCALE_INGEST_TOKEN', 'LOGSCALE_TOKEN', 'HUMIO_TOKEN', 'LOGSCALE_URL'])
    vi.stubEnv(name, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const route = createIngestRoute({ tags: { service: 'shop' } });
  for (let n = 0; n < 2; n++) expect((await route(pageRequest())).status).toBe(204);
  await Promise.all(tasks.map((task) => task()));
});

it('the ingest route limits requests by the last address in x-forwarded-for', async () => {
  const { options } = await startDelivery();
  const route = createIngestRoute({ ...options, maxRequestsPerMinute: 1 });
  const status = async (address: string) => (await route(pageRequest({ 'x-forwarded-for': address }))).status;
  expect(await status('10.0.0.1, 192.0.2.1')).toBe(204);
  expect(await status('10.0.0.2, 192.0.2.1')).toBe(429);
  expect(await status('10.0.0.1, 192.0.2.2')).toBe(204);
});

it('the ingest route stops waiting for delivery after closeTimeoutMs in an outage', async () => {
  const { options, sink } = await startDelivery();
  await sink.close();
  const route = createIngestRoute({ ...options, closeTimeoutMs: 10 });
  await route(pageRequest());
  await expect(Promise.all(tasks.map((task) => task()))).resolves.toHaveLength(1);
});
