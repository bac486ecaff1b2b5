import { once } from 'node:events';
import pino from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import type { PinoStream } from '../../transports/pino/index.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';

/** The built package, whose worker files can be loaded. */
const { createPinoTransport }: typeof import('../../transports/pino/index.ts') = await import(
  'logclient/pino' as string
);

const RECORDS = 8_000;

let sink: IngestSink;

beforeEach(async () => {
  sink = await IngestSink.open();
  // It accepts 100 records per second.
  sink.answer = () => ({ delayMs: 100 });
});
afterEach(() => sink.close());

function options(): Parameters<typeof createPinoTransport>[0] {
  return {
    baseUrl: sink.url,
    ingestToken: 'ingest-token',
    maxBatchRecords: 10,
    maxQueueBytes: 20_000,
    closeTimeoutMs: 1_000,
    onWarning: () => {},
  };
}

function logMany(logger: pino.Logger): void {
  for (let n = 0; n < RECORDS; n++) logger.info({ n }, 'more than the service takes');
}

function sum({ delivered, dropped }: IngesterStats): number {
  return delivered + dropped.overflow + dropped.closed + dropped.rejected + dropped.damaged;
}

async function closed(stream: PinoStream): Promise<void> {
  const close = once(stream, 'close');
  stream.end();
  await close;
}

it('a pino worker closes without waiting for a slow service, and counts every record', async () => {
  const stream = createPinoTransport(options());
  logMany(pino(stream));
  await expect.poll(() => sink.events.length).toBeGreaterThan(20);
  await closed(stream);
  // It did not wait until the service had accepted the queue.
  expect(stream.stats.dropped.closed).toBeGreaterThan(0);
  expect(stream.stats.accepted).toBe(RECORDS);
  expect(sum(stream.stats)).toBe(RECORDS);
  // The last batch may have been accepted after the time was up.
  expect([0, 10]).toContain(sink.events.length - stream.stats.delivered);
});
