import { Agent, getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { deliverAtExit } from '../../../src/ingest/exit-delivery/deliver-at-exit.ts';
import { exitOptions } from '../../../src/ingest/exit-delivery/exit-options.ts';
import { runExitJob } from '../../../src/ingest/exit-delivery/run-exit-job.ts';
import { type IngesterOptions, resolveIngesterOptions } from '../../../src/ingest/ingester-options.ts';
import { createRecord } from '../../../src/ingest/record.ts';
import { startDelivery } from '../../helpers/delivery.ts';

const BASE = { baseUrl: 'http://localhost:1/prefix', ingestToken: 'token' };

const RECORDS = [1, 2, 3].map((n) =>
  createRecord(`{"timestamp":1,"attributes":{"n":${n}}}`, '{"app":"shop"}'),
);

function optionsOf(options: IngesterOptions): IngesterOptions | undefined {
  return exitOptions(resolveIngesterOptions(options));
}

it('gives up in time what nobody takes, without the file of a worker, as it is beside the sources', () => {
  const began = Date.now();
  const delivery = deliverAtExit({ ...BASE, closeTimeoutMs: 1_000, minRetryDelayMs: 50 }, RECORDS, 1_000);
  const events = RECORDS.map(({ eventText }) => eventText);
  expect(delivery).toMatchObject({ delivered: 0, batches: 0, drops: [{ reason: 'closed', events }] });
  expect(delivery?.lastFailure).toContain('ECONNREFUSED');
  expect(delivery?.retried).toBeGreaterThan(0);
  expect(Date.now() - began).toBeLessThan(6_000);
});

it.each<IngesterOptions>([
  BASE,
  { ...BASE, ingestToken: undefined, userToken: 'token', repository: 'a b/c' },
  { ...BASE, headers: { 'X-Team': 'shop' }, maxBatchRecords: 7, maxRequestsInFlight: 2 },
])('leads a worker to the same service: %j', (options) => {
  const forWorker = optionsOf(options)!;
  expect(structuredClone(forWorker)).toEqual(forWorker);
  const { connection, token, endpoint, maxBatchRecords, maxRequestsInFlight } =
    resolveIngesterOptions(forWorker);
  expect(resolveIngesterOptions(options)).toMatchObject({
    connection: { baseUrl: connection.baseUrl, headers: connection.headers },
    ...{ token, endpoint, maxBatchRecords, maxRequestsInFlight },
  });
});

it('leads no worker past a fetch or a dispatcher of the program', () => {
  expect(optionsOf({ ...BASE, fetch: () => Promise.reject(new Error('unused')) })).toBeUndefined();
  expect(optionsOf({ ...BASE, dispatcher: new Agent() })).toBeUndefined();
});

it.each([
  ['a mock', () => new MockAgent()],
  ['an agent with options', () => new Agent({ connect: { rejectUnauthorized: true } })],
])('leads no worker past %s that the program has made the global dispatcher', (_, create) => {
  const before = getGlobalDispatcher();
  onTestFinished(() => setGlobalDispatcher(before));
  expect(optionsOf(BASE)).toBeDefined();
  setGlobalDispatcher(create());
  expect(optionsOf(BASE)).toBeUndefined();
});

it('tells what became of every record', async () => {
  const { sink, options } = await startDelivery();
  sink.answer = (_, index) => (index === 0 ? { status: 503 } : {});
  const job = { options: { ...options, closeTimeoutMs: 5_000 }, records: RECORDS };
  const delivery = await runExitJob({ ...job, logclientExit: true, deadline: Date.now() + 10_000 });
  expect(delivery).toMatchObject({ delivered: 3, batches: 1, retried: 1, drops: [], warnings: [] });
  expect(delivery.lastFailure).toContain('503');
  expect(sink.requests.at(-1)?.groups).toMatchObject([{ tags: { app: 'shop' }, events: [{}, {}, {}] }]);
});

it('sends what was shortened, or is let be by an option, as it is', async () => {
  const { sink, options } = await startDelivery();
  const record = createRecord(
    JSON.stringify({ timestamp: 1, attributes: { text: 'a'.repeat(1_500_000) } }),
    '{}',
  );
  const forWorker = optionsOf({ ...options, maxEventBytes: 2_000_000 })!;
  const job = { options: forWorker, records: [record], deadline: Date.now() + 10_000 };
  expect(await runExitJob({ ...job, logclientExit: true })).toMatchObject({ delivered: 1 });
  expect(sink.requests[0]?.groups).toMatchObject([
    { events: [{ attributes: { text: 'a'.repeat(1_500_000) } }] },
  ]);
});

it('gives up before nobody waits any more', async () => {
  const { sink, options } = await startDelivery();
  sink.answer = () => ({ hang: true });
  const job = { options: { ...options, closeTimeoutMs: 9_000 }, records: RECORDS };
  const delivery = await runExitJob({ ...job, logclientExit: true, deadline: Date.now() + 500 });
  const events = RECORDS.map(({ eventText }) => eventText);
  expect(delivery).toMatchObject({ delivered: 0, drops: [{ reason: 'closed', events }] });
});

it('passes on that a token is wrong', async () => {
  const { sink, options } = await startDelivery();
  sink.answer = () => ({ status: 401 });
  const deadline = Date.now() + 5_000;
  const delivery = await runExitJob({ logclientExit: true, options, records: RECORDS, deadline });
  expect(delivery).toMatchObject({ delivered: 0, warnings: [{ kind: 'attention' }] });
  expect(JSON.stringify(delivery)).not.toContain(options.ingestToken);
});
