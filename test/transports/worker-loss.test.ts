import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import pino from 'pino';
import { expect, it } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';

it('the loss of records with a worker is reported shortly after another warning of this thread', async () => {
  // The built package has the file of the worker.
  const entry = pathToFileURL(resolve(import.meta.dirname, '../../dist/pino.js')).href;
  const { createPinoTransport } = (await import(entry)) as typeof import('../../transports/pino/index.ts');
  const sink = await IngestSink.open();
  sink.answer = () => ({ status: 503 });
  const workers: Worker[] = [];
  process.once('worker', (worker) => workers.push(worker));
  const warnings: string[] = [];
  const onWarning = ({ message }: { message: string }): void => void warnings.push(message);
  const stream = createPinoTransport({
    baseUrl: sink.url,
    ingestToken: 'token',
    closeTimeoutMs: 100,
    onWarning,
  });
  stream.once('stats', () => {
    throw new Error('a bug');
  });
  pino(stream).info('hello');
  await eventually(() => expect(stream.stats.accepted).toBe(1));
  await eventually(() => expect(warnings).toContainEqual('A listener for "stats" failed: a bug'));
  await workers[0]!.terminate();
  await eventually(() =>
    expect(warnings).toContainEqual(expect.stringContaining('Undelivered records were lost: at most 1.')),
  );
  stream.end();
  await sink.close();
});
