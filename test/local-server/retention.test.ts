import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, type LocalServerOptions, startLocalServer } from '../../src/local-server/index.ts';

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

it('events that are too old are gone when the retention gets shorter, and as the clock goes on', async () => {
  await ingest([9, 5, 3, 1]);
  await client.updateRetention('sandbox', { timeBasedRetention: 4 });
  expect(server.inspect.store().events).toBe(2);
  expect(await daysLeft()).toEqual(['3', '1']);
  server.clock.advance(2 * DAY_MS);
  expect(await daysLeft()).toEqual(['1']);
  expect(server.inspect.store()).toMatchObject({ events: 1, evicted: 0 });
});

it('events that arrive too old are taken, and gone at once', async () => {
  await client.updateRetention('sandbox', { timeBasedRetention: 4 });
  await ingest([30, 2]);
  expect(await daysLeft()).toEqual(['2']);
});

it('a live count sees events leave', async () => {
  await client.updateRetention('sandbox', { timeBasedRetention: 4 });
  await ingest([3.99, 1]);
  await using job = await client.createQueryJob('count()', { isLive: true, start: '30days' });
  await expect.poll(async () => (await job.poll()).events).toEqual([{ _count: '2' }]);
  server.clock.advance(0.02 * DAY_MS);
  await expect.poll(async () => (await job.poll()).events).toEqual([{ _count: '1' }]);
});

it('the oldest events are gone when there are too many bytes', async () => {
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

it('what is gone is gone from the disk, and stays gone after a restart, as the retention stays', async () => {
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
