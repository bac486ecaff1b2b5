import { afterEach, beforeEach, expect, it } from 'vitest';
import { type IngesterOptions, resolveIngesterOptions } from '../../src/ingest/options.ts';
import { IngestPipeline } from '../../src/ingest/pipeline.ts';
import { createRecord } from '../../src/ingest/record/record.ts';
import { type Delivery, startDelivery } from '../helpers/delivery.ts';

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

it('stops waiting without progress, keeps the records and delivers them later', async () => {
  delivery.sink.answer = () => ({ status: 503 });
  open({ closeTimeoutMs: 100, maxRetryDelayMs: 20 }, 3);
  expect(await pipeline.flushUnlessStalled()).toBe(false);
  expect(pipeline.stats).toMatchObject({ accepted: 3, delivered: 0 });
  delivery.sink.answer = () => ({});
  expect(await pipeline.flushUnlessStalled()).toBe(true);
  expect(numbers()).toEqual([1, 2, 3]);
});

it('goes on waiting for a slow service as long as batches are delivered', async () => {
  delivery.sink.answer = () => ({ delayMs: 300 });
  open({ closeTimeoutMs: 2_000, maxBatchRecords: 1 }, 8);
  expect(await pipeline.flushUnlessStalled()).toBe(true);
  expect(numbers()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
