import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import pino from 'pino';
import { expect, it } from 'vitest';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import { eventually } from '../helpers/eventually.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';

// The built package has the file of the worker.
const entry = pathToFileURL(resolve(import.meta.dirname, '../../dist/pino.js')).href;
const { createPinoTransport } = (await import(entry)) as typeof import('../../transports/pino/index.ts');

it('the loss of records with a worker is reported shortly after another warning of this thread', async () => {
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

it.each([false, true])(
  'counters never decrease when a worker crashes, with a spool: %s',
  async (isSpooled) => {
    const sink = await IngestSink.open();
    sink.answer = () => ({ status: 503 });
    const directory = mkdtempSync(join(tmpdir(), 'logclient-crash-'));
    const workers: Worker[] = [];
    process.once('worker', (worker) => workers.push(worker));
    const stream = createPinoTransport({
      baseUrl: sink.url,
      ingestToken: 'token',
      minRetryDelayMs: 20,
      maxRetryDelayMs: 20,
      onWarning() {},
      ...(isSpooled && { spool: { directory } }),
    });
    const seen: IngesterStats[] = [];
    stream.on('stats', (stats) => seen.push(stats));
    const look = (): void => void seen.push(stream.stats);
    const drops: unknown[] = [];
    stream.on('drop', (report) => drops.push(report));
    const logger = pino(stream);
    for (let n = 0; n < 200; n++) logger.info({ n }, 'hello');
    await eventually(() => expect(stream.stats.accepted).toBe(200));
    const watch = setInterval(look, 1);
    stream.once('drop', look);
    await workers[0]!.terminate();
    for (let n = 0; n < 100; n++) logger.info({ n }, 'hello');
    await eventually(() => expect(seen.at(-1)?.accepted).toBe(300));
    sink.answer = () => ({});
    await eventually(() => expect(stream.stats.delivered + stream.stats.dropped.closed).toBe(300));
    await new Promise((resolve) => stream.once('close', resolve).end());
    clearInterval(watch);
    await sink.close();
    rmSync(directory, { recursive: true });
    expect(seen.filter(({ accepted }, index) => accepted < (seen[index - 1]?.accepted ?? 0))).toEqual([]);
    expect(
      seen.filter(
        ({ accepted, delivered, dropped, queuedRecords, spooledRecords, inFlightRecords }) =>
          accepted !== delivered + dropped.closed + queuedRecords + spooledRecords + inFlightRecords,
      ),
    ).toEqual([]);
    expect(drops).toEqual(isSpooled ? [] : [{ reason: 'closed', records: 200 }]);
    expect(seen.at(-1)).toMatchObject({
      accepted: 300,
      spooledRecords: 0,
      dropped: { closed: isSpooled ? 0 : 200 },
    });
  },
);
