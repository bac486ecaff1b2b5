import { afterEach, beforeEach, expect, it } from 'vitest';
import { forText, type IngesterOptions, resolveIngesterOptions } from '../../src/ingest/options.ts';
import { IngestPipeline } from '../../src/ingest/pipeline.ts';
import { createRecord } from '../../src/ingest/record/record.ts';
import { type Delivery, startDelivery } from '../helpers/delivery.ts';
import { sendJson, sendText, startService } from '../helpers/http-service.ts';

let delivery: Delivery;
let pipeline: IngestPipeline;

beforeEach(async () => {
  delivery = await startDelivery();
});

afterEach(async () => {
  delivery.sink.answer = () => ({});
  await pipeline.close();
});

/** Adds `count` records with the attribute `n`, from 1. */
function open(options: IngesterOptions, count: number): void {
  pipeline = new IngestPipeline(
    resolveIngesterOptions({ ...delivery.options, flushIntervalMs: 20, ...options }, 'test'),
  );
  for (let n = 1; n <= count; n++) {
    pipeline.add(createRecord(`{"timestamp":1,"attributes":{"n":${n}}}`, '{}'));
  }
}

function numbers(): unknown[] {
  return delivery.sink.events.map((event) => event.attributes.n);
}

it('flush() returns false without progress and keeps the records for later', async () => {
  delivery.sink.answer = () => ({ status: 503 });
  open({ closeTimeoutMs: 100, maxRetryDelayMs: 20 }, 3);
  expect(await pipeline.flush()).toBe(false);
  expect(pipeline.stats).toMatchObject({ accepted: 3, delivered: 0 });
  delivery.sink.answer = () => ({});
  expect(await pipeline.flush()).toBe(true);
  // Behind a request that failed several times, any record may be first.
  expect(numbers().sort()).toEqual([1, 2, 3]);
});

it.each([
  { records: 2, maxBatchRecords: 1 },
  { records: 2, maxBatchRecords: 2 },
  { records: 3, maxBatchRecords: 3 },
  { records: 9, maxBatchRecords: 4 },
])(
  'three failures in a row change no order: $records records, $maxBatchRecords per request',
  async (sizes) => {
    delivery.sink.answer = (_, index) => (index < 3 ? { status: 503 } : {});
    const options = { minRetryDelayMs: 5, maxRetryDelayMs: 20, maxBatchRecords: sizes.maxBatchRecords };
    open(options, sizes.records);
    await pipeline.flush();
    expect(numbers()).toEqual(Array.from({ length: sizes.records }, (_, index) => index + 1));
  },
);

it('records at fault leave all others in large requests', async () => {
  const isBad = (n: unknown): boolean => Number(n) % 250 === 7;
  delivery.sink.answer = ({ groups }) =>
    groups.some(({ events }) => events.some(({ attributes }) => isBad(attributes.n))) ? { status: 500 } : {};
  open({ minRetryDelayMs: 5, maxRetryDelayMs: 20, maxBatchRecords: 1_000 }, 2_000);
  await expect.poll(() => numbers().length).toBe(2_000 - 8);
  // One request per record would be 2,000; halving finds eight records with fewer than 300.
  expect(delivery.sink.requests.length).toBeLessThan(600);
});

it('flush() waits for a slow service as long as batches are delivered', async () => {
  delivery.sink.answer = () => ({ delayMs: 300 });
  open({ closeTimeoutMs: 2_000, maxBatchRecords: 1 }, 8);
  expect(await pipeline.flush()).toBe(true);
  expect(numbers()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

it('lines for a parser are delivered in order, and a rejected batch is split', async () => {
  const bodies: unknown[] = [];
  const service = await startService((request, response) => {
    const groups = request.json<{ messages: string[] }[]>();
    const isRejected = groups.some(({ messages }) => messages.includes('bad'));
    if (!isRejected) bodies.push(...groups);
    return isRejected ? sendText(response, 400, 'bad line') : sendJson(response, {});
  });
  const options = resolveIngesterOptions(
    {
      ...delivery.options,
      baseUrl: service.url,
      tags: { service: 'shop' },
      compression: 'none',
      maxEventBytes: 1024,
    },
    'test',
  );
  pipeline = new IngestPipeline(forText(options, { parser: 'kv', fields: { run: '7' } }));
  const long = `"${'{\n'.repeat(1_000)}`;
  for (const line of ['[one', long, 'bad', '{"four":4}']) pipeline.addText(JSON.stringify(line));
  await pipeline.flush();
  expect(service.calls.at(-1)).toBe('POST /api/v1/ingest/humio-unstructured');
  expect(pipeline.stats).toMatchObject({ delivered: 3, dropped: { rejected: 1 } });
  const group = { tags: { service: 'shop' }, type: 'kv', fields: { run: '7' } };
  expect(bodies).toEqual([
    { ...group, messages: ['[one', long] },
    { ...group, messages: ['{"four":4}'] },
  ]);
});

it('abandon() drops queued records immediately, even during close()', async () => {
  delivery.sink.answer = () => ({ status: 503 });
  open({ closeTimeoutMs: 9_000 }, 3);
  const closed = pipeline.close();
  await expect.poll(() => pipeline.stats.retried).toBeGreaterThan(0);
  pipeline.abandon();
  expect(pipeline.stats).toMatchObject({ accepted: 3, delivered: 0, dropped: { closed: 3 } });
  await closed;
});
