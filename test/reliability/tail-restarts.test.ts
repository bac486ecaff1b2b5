import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { LogClient } from '../../src/client/log-client.ts';
import { Ingester } from '../../src/ingest/ingester.ts';
import { ServerProcess } from '../helpers/server-process.ts';

const RESTARTS = 10;
const RECORDS = 20_000;

/** The tail waits ten times until the service is back: here only a tenth of the random delay. */
beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.1);
  return () => random.mockRestore();
});

it('a tail yields 20,000 records in order, each once, from a server that is killed and restarted ten times', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tail-restarts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const server = new ServerProcess(folder);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { url, repository, userToken, ingestToken } = await server.start();
  const ingester = new Ingester({
    baseUrl: url,
    ingestToken,
    maxBatchRecords: 250,
    flushIntervalMs: 20,
    minRetryDelayMs: 50,
    maxRetryDelayMs: 200,
    onWarning: () => {},
  });
  onTestFinished(async () => {
    await ingester.close();
  });
  const perRound = RECORDS / RESTARTS;
  let added = 0;
  const addRound = (): void => {
    for (const end = added + perRound; added < end; added++) {
      ingester.add({ timestamp: Date.now(), attributes: { n: added } });
    }
  };
  let reconnects = 0;
  let kills = 0;
  let restarting: Promise<unknown> = Promise.resolve();
  const restart = async (): Promise<void> => {
    await server.kill();
    if (added < RECORDS) addRound();
    await server.start();
  };
  const client = new LogClient({ baseUrl: url, repository, userToken });
  const ids = new Set<unknown>();
  const numbers: number[] = [];
  addRound();
  for await (const event of client.tail<{ '@id': string; n: string }>('n=*', {
    start: '5 minutes',
    onReconnect: () => reconnects++,
  })) {
    if (ids.has(event['@id'])) throw new Error(`Event ${event['@id']} came twice.`);
    ids.add(event['@id']);
    // A batch whose response was lost is delivered again, as other events.
    if (Number(event.n) >= numbers.length) numbers.push(Number(event.n));
    if (numbers.length === RECORDS && kills === RESTARTS) break;
    // In the middle of each round.
    if (numbers.length !== kills * perRound + perRound / 2) continue;
    kills++;
    restarting = restarting.then(restart);
  }
  await restarting;
  expect(reconnects).toBeGreaterThanOrEqual(RESTARTS);
  expect(numbers).toEqual(Array.from({ length: RECORDS }, (_, n) => n));
});

it('a tail notices a server that hangs, and continues when it runs again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tail-hangs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const server = new ServerProcess(folder);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { url, repository, userToken, ingestToken } = await server.start();
  const ingester = new Ingester({ baseUrl: url, ingestToken, flushIntervalMs: 20, onWarning: () => {} });
  onTestFinished(async () => {
    await ingester.close();
  });
  const client = new LogClient({ baseUrl: url, repository, userToken });
  const errors: unknown[] = [];
  const numbers: unknown[] = [];
  let resume = (): void => {};
  ingester.add({ attributes: { n: 0 } });
  const events = client.tail('n=*', {
    start: '5 minutes',
    idleTimeoutMs: 500,
    timeoutMs: 2_000,
    onReconnect: ({ error }) => {
      errors.push(error);
      resume();
    },
  });
  for await (const { n } of events) {
    numbers.push(n);
    if (numbers.length === 2) break;
    resume = server.freeze();
    ingester.add({ attributes: { n: 1 } });
  }
  expect(numbers.map(Number)).toEqual([0, 1]);
  expect(errors[0]).toMatchObject({ code: 'LOG_CONNECTION_DROPPED' });
  expect(String(errors[0])).toContain('has sent nothing for 500 ms (idleTimeoutMs)');
});
