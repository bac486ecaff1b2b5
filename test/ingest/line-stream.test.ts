import { expect, it, onTestFinished, vi } from 'vitest';
import { Backpressure } from '../../src/ingest/backpressure.ts';
import { LineStream } from '../../src/ingest/line-stream.ts';
import { resolveIngesterOptions } from '../../src/ingest/options.ts';
import { createRecord } from '../../src/ingest/record/record.ts';
import { startDelivery } from '../helpers/delivery.ts';

/** 40 KB: more than a writer may write after it has caught up. */
const CHUNK = `${'x'.repeat(999)}\n`.repeat(40);

it('LineStream applies backpressure again to a writer of 40 KB chunks that has caught up', async () => {
  const { options } = await startDelivery();
  let isCongested = true;
  const congested = vi
    .spyOn(Backpressure.prototype, 'isCongested', 'get')
    .mockImplementation(() => isCongested);
  const waits: number[] = [];
  const waited = vi.spyOn(Backpressure.prototype, 'drainedWithin').mockImplementation(async (maxMs) => {
    waits.push(maxMs);
    isCongested = false;
  });
  const stream = new LineStream(
    resolveIngesterOptions(options, 'test'),
    () => () => createRecord('{}', '{}'),
    {
      onEvent: () => {},
      backpressure: {},
    },
  );
  onTestFinished(async () => {
    congested.mockRestore();
    waited.mockRestore();
    await new Promise<void>((resolve) => stream.end(resolve));
  });
  const write = (): Promise<void> => new Promise((resolve) => stream.write(CHUNK, () => resolve()));
  for (let round = 1; round <= 3; round++) {
    isCongested = true;
    stream.skipBackpressure();
    await write();
    expect(waits).toHaveLength(round);
  }
});
