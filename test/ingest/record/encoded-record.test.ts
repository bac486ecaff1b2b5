import { expect, it, onTestFinished } from 'vitest';
import { resolveIngesterOptions } from '../../../src/ingest/options.ts';
import { IngestPipeline } from '../../../src/ingest/pipeline.ts';
import { EncodedRecord } from '../../../src/ingest/record/record.ts';
import type { DroppedRecords } from '../../../src/ingest/report/delivery-event.ts';
import { startDelivery } from '../../helpers/delivery.ts';

/** One buffer and one reused record, as in line mappers. */
function recordMaker() {
  const memory = Buffer.alloc(1_000);
  const record = new EncodedRecord();
  return {
    recordOf: (n: number) => {
      const end = memory.write(`{"timestamp":1,"attributes":{"n":${n},"text":"${'x'.repeat(100)}"}}`);
      return record.show(memory, 0, end, '{}');
    },
    overwrite: () => void memory.fill('!'),
  };
}

it('queued records do not change when an EncodedRecord is reused, even in an onDrop hook', async () => {
  const { sink, options } = await startDelivery();
  const { recordOf, overwrite } = recordMaker();
  const onDrop = overwrite;
  const pipeline = new IngestPipeline(
    resolveIngesterOptions({ ...options, flushIntervalMs: 60_000, maxQueueBytes: 500, onDrop }, 'test'),
  );
  onTestFinished(() => pipeline.close());
  for (let n = 1; n <= 10; n++) pipeline.add(recordOf(n));
  overwrite();
  await pipeline.flush();
  expect(sink.events.map(({ attributes }) => attributes.n)).toEqual([8, 9, 10]);
});

it.each(['dropNewest', 'dropOldest'] as const)(
  'dropped events stay readable after an EncodedRecord is reused, with %s',
  async (overflow) => {
    const { options } = await startDelivery();
    const { recordOf, overwrite } = recordMaker();
    const drops: DroppedRecords[] = [];
    const onDrop = (drop: DroppedRecords): void => void drops.push(drop);
    const pipeline = new IngestPipeline(
      resolveIngesterOptions({ ...options, maxQueueBytes: 500, overflow, onDrop }, 'test'),
    );
    for (let n = 1; n <= 10; n++) pipeline.add(recordOf(n));
    await pipeline.close();
    pipeline.add(recordOf(11));
    overwrite();
    const texts = drops.flatMap(({ events }) => events.map((text) => JSON.parse(text).attributes.n));
    expect(texts).toHaveLength(pipeline.stats.dropped.overflow + 1);
    expect(texts.at(-1)).toBe(11);
  },
);
