import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import winston from 'winston';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { runNode } from '../helpers/run-node.ts';

/** The built package, whose worker files can be loaded; in both of its forms. */
const require = createRequire(import.meta.url);
type Winston = typeof import('../../transports/winston/index.ts');
const forms: [string, () => Promise<Winston>][] = [
  ['ESM', () => import('logclient/winston' as string)],
  ['CommonJS', async () => require('logclient/winston')],
];

let sink: IngestSink;

beforeEach(async () => {
  sink = await IngestSink.open();
});

afterEach(() => sink.close());

function options(): { baseUrl: string; ingestToken: string; minRetryDelayMs: number } {
  return { baseUrl: sink.url, ingestToken: 'token', minRetryDelayMs: 5 };
}

describe.each(forms)('the winston worker, loaded as %s', (_, load) => {
  it('delivers in order with tags, flushes, and finishes without holding up this thread', async () => {
    sink.answer = () => ({ delayMs: 150 });
    const { LogTransport } = await load();
    const transport = new LogTransport({ ...options(), tags: { service: 'shop' }, tagFields: ['level'] });
    const logger = winston.createLogger({ transports: [transport] });
    for (let n = 0; n < 200; n++) logger.info('hello', { n });
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes.n)).toEqual(
      Array.from({ length: 200 }, (__, n) => n),
    );
    expect(sink.requests[0]?.groups.map(({ tags }) => tags)).toEqual([{ service: 'shop', level: 'info' }]);
    logger.error('last');
    // The service runs in this thread: it can only answer if ending does not block it.
    logger.end();
    await once(logger, 'finish');
    expect(sink.events).toHaveLength(201);
    await vi.waitFor(() => expect(transport.destroyed).toBe(true));
  });
});

it.each([
  ['can not start', 'start', ['before', 'after', 'later']],
  // What is logged before its death is noticed goes with it.
  ['dies', 'death', ['before', 'later']],
])('a winston worker that %s is replaced by delivery in the same thread', async (_, failure, messages) => {
  const env = { SINK_URL: sink.url, FAILURE: failure };
  const { code, stdout, stderr } = await runNode('test/fixtures/worker-fails.mjs', env);
  expect(sink.events.map(({ attributes }) => attributes.message)).toEqual(messages);
  expect(stdout).toBe('finished\n');
  expect(stderr).toMatch(/^logclient: The worker thread ended .*\n$/);
  expect(code).toBe(0);
});

it('a winston worker that can not start costs an ending process a few seconds, and says what is lost', async () => {
  const start = Date.now();
  const env = { SINK_URL: sink.url, FAILURE: 'start', ENDING: 'exit' };
  const { code, stderr } = await runNode('test/fixtures/worker-fails.mjs', env);
  // thread-stream alone would wait for ten.
  expect(Date.now() - start).toBeLessThan(9_500);
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /^logclient: Records lost, for the worker thread did not start: 1\..*worker: false.*\n$/,
  );
});

it('a winston worker whose file a bundler left behind is not waited for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'logclient-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const isLeft = (source: string): boolean => !basename(source).startsWith('winston-worker');
  await cp('dist', join(folder, 'dist'), { recursive: true, filter: isLeft });
  await cp('package.json', join(folder, 'package.json'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const env = { SINK_URL: sink.url, ENTRY: join(folder, 'dist/winston.js') };
  const { code, stderr } = await runNode('test/fixtures/worker-fails.mjs', env);
  expect(sink.events.map(({ attributes }) => attributes.message)).toEqual(['before', 'after', 'later']);
  expect(stderr).toMatch(/^logclient: .*without a worker: .*winston-worker\.js is missing.*\n$/);
  expect(code).toBe(0);
});

it('a pino worker delivers in order, and flush means delivered', async () => {
  sink.answer = () => ({ delayMs: 150 });
  const transport = pino.transport({ target: 'logclient/pino', options: options() });
  const logger = pino(transport);
  for (let n = 0; n < 200; n++) logger.info({ n }, 'hello');
  await new Promise<void>((resolve) => logger.flush(() => resolve()));
  expect(sink.events.map(({ attributes }) => attributes.n)).toEqual(Array.from({ length: 200 }, (_, n) => n));
  expect(sink.events[0]?.attributes).toMatchObject({ level: 'info', msg: 'hello', pid: process.pid });
  const closed = once(transport, 'close');
  transport.end();
  await closed;
});

it('a pino worker knows custom levels', async () => {
  const transport = pino.transport({ target: 'logclient/pino', options: options() });
  const logger = pino({ customLevels: { notice: 35 } }, transport);
  logger.notice('n');
  await new Promise<void>((resolve) => logger.flush(() => resolve()));
  expect(sink.events[0]?.attributes).toMatchObject({ level: 'notice', msg: 'n' });
  const closed = once(transport, 'close');
  transport.end();
  await closed;
});

it('a pino transport with options that can not work tells the program why', async () => {
  const transport = pino.transport({
    target: 'logclient/pino',
    options: { ...options(), maxBatchRecord: 1 },
  });
  const [error] = await once(transport, 'error');
  expect(error.message).toMatch(/Did you mean "maxBatchRecords"/);
});
