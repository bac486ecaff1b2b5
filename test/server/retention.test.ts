import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, type LocalServerOptions, startLocalServer } from '../../src/server/index.ts';
import { type GraphqlTestAnswer, graphql } from './service-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);
const DAY_MS = 86_400_000;

let dataDir: string;
let server: LocalServer;
let client: LogClient;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'logclient-retention-'));
  await start();
});
afterEach(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(options: LocalServerOptions = {}): Promise<void> {
  await server?.close();
  server = await startLocalServer({ now: NOW, dataDir, ...options });
  const { url: baseUrl, repository, userToken } = server;
  client = new LogClient({ baseUrl, repository, userToken });
}

function ingest(ages: readonly number[]): Promise<unknown> {
  const events = ages.map((days) => ({ timestamp: NOW - days * DAY_MS, attributes: { days } }));
  return client.ingestJsonData([{ tags: {}, events }]);
}

async function daysLeft(): Promise<string[]> {
  const rows = await client.query('*', { start: 0 });
  return rows.map(({ days }) => String(days)).reverse();
}

it('events past timeBasedRetention are deleted when it is shortened and as time passes', async () => {
  await ingest([9, 5, 3, 1]);
  await client.updateRetention('sandbox', { timeBasedRetention: 4 });
  expect(server.inspect.store().events).toBe(2);
  expect(await daysLeft()).toEqual(['3', '1']);
  server.clock.advance(2 * DAY_MS);
  expect(await daysLeft()).toEqual(['1']);
  expect(server.inspect.store()).toMatchObject({ events: 1, evicted: 3 });
});

it('events older than timeBasedRetention are accepted, deleted at once and counted as rejections', async () => {
  await client.updateRetention('sandbox', { timeBasedRetention: 4 });
  for (const ages of [[2, 30, 5], [3], [9]]) await ingest(ages);
  expect(await daysLeft()).toEqual(['3', '2']);
  expect(server.inspect.rejections()).toEqual([
    expect.objectContaining({
      status: 200,
      count: 3,
      reason: 'Not stored: older than the retention of 4 days.',
      excerpt: expect.stringContaining('30'),
    }),
  ]);
});

it('a live count() decreases when events expire', async () => {
  await client.updateRetention('sandbox', { timeBasedRetention: 4 });
  await ingest([3.99, 1]);
  await using job = await client.createQueryJob('count()', { isLive: true, start: '30days' });
  await expect.poll(async () => (await job.poll()).events).toEqual([{ _count: '2' }]);
  server.clock.advance(0.02 * DAY_MS);
  await expect.poll(async () => (await job.poll()).events).toEqual([{ _count: '1' }]);
});

it('the oldest events are deleted when the store exceeds storageSizeBasedRetention', async () => {
  const events = Array.from({ length: 12_000 }, (_, n) => ({
    timestamp: NOW - 12_000 + n,
    attributes: { n },
  }));
  await client.ingestJsonData([{ tags: {}, events }]);
  const { bytes } = server.inspect.store();
  await client.updateRetention('sandbox', { storageSizeBasedRetention: bytes / 2 / 1024 ** 3 });
  const left = server.inspect.store();
  expect(left.bytes).toBeLessThanOrEqual(bytes / 2);
  expect(left.events).toBeGreaterThan(1000);
  expect(server.inspect.events().at(-1)?.n).toBe('11999');
});

it('expired events are permanently deleted from disk, and the retention is kept after a restart', async () => {
  await ingest([9, 8]);
  server.clock.advance(5 * DAY_MS);
  await client.updateRetention('sandbox', { timeBasedRetention: 10 });
  expect(server.inspect.store().events).toBe(0);
  expect(await readdir(join(dataDir, 'repositories/sandbox/events'))).toEqual([]);
  await ingest([4, 1]);
  await start({ now: NOW + 7 * DAY_MS });
  expect((await client.getRepository('sandbox'))?.timeBasedRetention).toBe(10);
  expect(await daysLeft()).toEqual(['1']);
});

async function redact(input: object): Promise<GraphqlTestAnswer> {
  const query = 'mutation ($input: RedactEventsInputType!) { redactEvents(input: $input) }';
  const whole = { repositoryName: 'sandbox', start: '1970-01-01T00:00:00Z', end: '+058062-12-31T00:00:00Z' };
  return graphql(server, query, { input: { ...whole, query: '*', ...input } });
}

it('redactEvents permanently deletes all events of a repository, and live queries count none', async () => {
  await ingest([9, 5, 3, 1]);
  // Stored in the year 43,000, which no clock in microseconds shows today.
  await client.ingestJsonData([
    { tags: {}, events: [{ timestamp: 1_300_000_000_000_000, attributes: { days: 0 } }] },
  ]);
  const counts = client.watch('count()', { start: '30 days' })[Symbol.asyncIterator]();
  const nextCount = async (): Promise<unknown> => (await counts.next()).value;
  expect(await nextCount()).toMatchObject({ events: [{ _count: '4' }] });
  expect((await redact({})).data).toEqual({ redactEvents: expect.stringMatching(/^\w{24}$/) });
  expect(await nextCount()).toMatchObject({ events: [{ _count: '0' }] });
  await counts.return?.();
  expect(server.inspect.store()).toMatchObject({ events: 0, bytes: 0, evicted: 0 });
  await ingest([2]);
  await start();
  expect(await daysLeft()).toEqual(['2']);
});

it('redactEvents deletes only the events of its query and interval, also from the disk', async () => {
  await ingest([9, 5, 3, 1]);
  await client.ingestJsonData([
    { tags: {}, events: [{ timestamp: NOW - 4 * DAY_MS, attributes: { days: 4, user: 'ann' } }] },
  ]);
  const input = { query: 'days=5 OR user=ann | drop(@id)', end: new Date(NOW - 3 * DAY_MS).toISOString() };
  expect((await redact(input)).errors).toBeUndefined();
  expect(await daysLeft()).toEqual(['9', '3', '1']);
  expect(await client.query('user=ann', { start: 0 })).toEqual([]);
  expect(server.inspect.store().events).toBe(3);
  const folder = join(dataDir, 'repositories/sandbox/events');
  const files = await readdir(folder);
  expect(await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))).toEqual([
    expect.not.stringMatching(/ann|"5"/),
  ]);
  await ingest([2]);
  await start();
  expect(await daysLeft()).toEqual(['9', '3', '2', '1']);
});

it('redactEvents deletes from a repository, and a live query of a view notices it', async () => {
  for (const days of [5, 3, 1]) await ingest([days]);
  await client.createView('recent', [{ repositoryName: 'sandbox', filter: '*' }]);
  const { url: baseUrl, userToken } = server;
  const view = new LogClient({ baseUrl, repository: 'recent', userToken });
  await using job = await view.createQueryJob('sum(days)', { isLive: true, start: '30days' });
  await expect.poll(async () => (await job.poll()).events).toEqual([{ _sum: '9' }]);
  await redact({ query: 'days=3' });
  // The oldest event and the place of the newest are as before.
  await ingest([4]);
  await expect.poll(async () => (await job.poll()).events).toEqual([{ _sum: '10' }]);
  expect((await redact({ repositoryName: 'recent' })).errors?.[0]?.message).toBe(
    '"recent" is a view. Use one of its repositories: "sandbox".',
  );
});

it.each([
  ['an aggregate', { query: '* | count()' }, 'a query that returns events'],
  ['an invalid query', { query: 'days=(' }, 'line 1'],
  ['an interval of its own', { query: 'setTimeInterval(start=1y)' }, 'Omit setTimeInterval()'],
  ['an invalid time', { end: 'yesterday' }, '"end" must be an ISO 8601 time'],
  ['a start after its end', { end: '1960-01-01T00:00:00Z' }, 'start of the query is after its end'],
])('redactEvents with %s fails and deletes nothing', async (_, input, message) => {
  await ingest([3, 1]);
  const { errors } = await redact(input);
  expect(errors?.[0]?.message).toContain(message);
  expect(server.inspect.store().events).toBe(2);
});

it('redactEvents of a client returns an ID', async () => {
  await ingest([3, 1]);
  const id = await client.redactEvents('days="3" /* "old" */', {
    start: 0,
    end: new Date(NOW),
    userMessage: 'by request',
  });
  expect(id).toMatch(/^\w{24}$/);
  expect(await daysLeft()).toEqual(['1']);
});

it.each([
  ['no start', '*', { end: NOW }, '"start" must be whole epoch milliseconds, a Date, ISO 8601'],
  ['a relative end', '*', { start: 0, end: 'now' }, '(got "now")'],
  ['an empty query', '', { start: 0, end: NOW }, '"query"'],
  ['only pipes', '| |', { start: 0, end: NOW }, '"query" is empty. "*" means all events.'],
  ['only comments', '// "a"\n/* b\n*/ | // c', { start: 0, end: NOW }, '"query" is empty.'],
])('redactEvents of a client with %s is refused before it is sent', async (_, query, options, message) => {
  await expect(client.redactEvents(query, options as never)).rejects.toThrow(message);
});
