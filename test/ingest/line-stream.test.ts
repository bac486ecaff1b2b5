import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Backlog } from '../../src/ingest/backlog.ts';
import { LineStream } from '../../src/ingest/line-stream.ts';
import { resolveIngesterOptions } from '../../src/ingest/options.ts';
import { lineText } from '../../src/ingest/record/line-bytes.ts';
import { createRecord } from '../../src/ingest/record/record.ts';
import { startDelivery } from '../helpers/delivery.ts';

/** 40 KB: more than a writer may write after it has caught up. */
const CHUNK = `${'x'.repeat(999)}\n`.repeat(40);

const NO_LIMIT = { perWriteMs: Number.POSITIVE_INFINITY, untilCaughtUpMs: Number.POSITIVE_INFINITY };

it('LineStream applies backpressure again to a writer of 40 KB chunks that has caught up', async () => {
  const { options } = await startDelivery();
  let isCongested = false;
  let waits = 0;
  const halfEmpty = vi.spyOn(Backlog.prototype, 'isHalfEmpty').mockImplementation(() => {
    if (isCongested) waits++;
    const isDrained = !isCongested;
    isCongested = false;
    return isDrained;
  });
  const stream = new LineStream(
    resolveIngesterOptions(options, 'test'),
    () => () => createRecord('{}', '{}'),
    { onEvent: () => {}, backpressure: NO_LIMIT },
  );
  onTestFinished(async () => {
    halfEmpty.mockRestore();
    await new Promise<void>((resolve) => stream.end(resolve));
  });
  const write = (): Promise<void> => new Promise((resolve) => stream.write(CHUNK, () => resolve()));
  for (let round = 1; round <= 3; round++) {
    isCongested = true;
    stream.pipeline.backpressure.skip();
    await write();
    expect(waits).toBe(round);
  }
});

it('an onDrop hook can end a blocking LineStream while lines are added, even in an outage', async () => {
  const { sink, options } = await startDelivery();
  sink.answer = () => ({ status: 503 });
  const stream: LineStream = new LineStream(
    resolveIngesterOptions(
      {
        ...options,
        closeTimeoutMs: 500,
        overflow: 'block',
        maxQueueBytes: 200,
        onDrop: () => void stream.end(),
      },
      'test',
    ),
    () => (line) => createRecord(JSON.stringify({ rawstring: lineText(line) }), '{}'),
    {},
  );
  const tooLong = 'x'.repeat(300);
  stream.write(`${tooLong}\n${'short\n'.repeat(100)}`);
  await once(stream, 'close');
  expect(stream.stats).toMatchObject({ accepted: 101, dropped: { overflow: 1, closed: 100 } });
});
