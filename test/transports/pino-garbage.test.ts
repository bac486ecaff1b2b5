import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { runNode } from '../helpers/run-node.ts';

const FIXTURE = resolve(import.meta.dirname, '../fixtures/pino-garbage.mjs');

it('pino.transport delivers what a program logs at its start, if the logger is garbage when it ends', async () => {
  const sink = await IngestSink.open();
  const { code, stderr } = await runNode(FIXTURE, { LOGSCALE_URL: sink.url, LOGSCALE_INGEST_TOKEN: 'token' });
  await sink.close();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(sink.events.map(({ attributes }) => attributes.n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});
