import { once } from 'node:events';
import { createRequire } from 'node:module';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
