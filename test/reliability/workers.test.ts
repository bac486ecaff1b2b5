import { once } from 'node:events';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import winston from 'winston';
import { eventually } from '../helpers/eventually.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { runNode } from '../helpers/run-node.ts';

/** The built package, which contains the worker's program, as ESM and CommonJS. */
const require = createRequire(import.meta.url);
type Winston = typeof import('../../transports/winston/index.ts');
type Pino = typeof import('../../transports/pino/index.ts');
const forms: [string, () => Promise<Winston>][] = [
  ['ESM', () => import('logclient/winston' as string)],
  ['CommonJS', async () => require('logclient/winston')],
];

/** Makes workers fail. */
const PRELOAD = `--require ${resolve(import.meta.dirname, '../fixtures/fail-in-worker.cjs')}`;

let sink: IngestSink;

beforeEach(async () => {
  sink = await IngestSink.open();
});

afterEach(() => sink.close());

function options(): { baseUrl: string; ingestToken: string; minRetryDelayMs: number } {
  return { baseUrl: sink.url, ingestToken: 'token', minRetryDelayMs: 5 };
}

describe.each(forms)('A winston worker, loaded as %s', (_, load) => {
  it('delivers in order with tags, flushes, and finishes without blocking the main thread', async () => {
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
    // The service runs in this thread: it can only respond if ending does not block it.
    logger.end();
    await once(logger, 'finish');
    expect(sink.events).toHaveLength(201);
    await eventually(() => expect(transport.destroyed).toBe(true));
  });
});

it('a winston worker that cannot start is replaced by delivery on the main thread', async () => {
  const env = { SINK_URL: sink.url, FAILURE: 'start', NODE_OPTIONS: PRELOAD };
  const { code, stdout, stderr } = await runNode('test/fixtures/worker-fails.mjs', env);
  expect(sink.events.map(({ attributes }) => attributes.message)).toEqual(['before', 'after', 'later']);
  expect(stdout).toBe('finished\n');
  expect(stderr).toMatch(/^logclient: The worker thread ended .*\n$/);
  expect(code).toBe(0);
});

it('a worker that cannot start delays exit by a few seconds at most, and every loss is reported', async () => {
  const start = Date.now();
  const env = { SINK_URL: sink.url, FAILURE: 'start', ENDING: 'exit', NODE_OPTIONS: PRELOAD };
  const { code, stderr } = await runNode('test/fixtures/worker-fails.mjs', env);
  // thread-stream alone would wait for ten seconds, and deliver nothing.
  expect(Date.now() - start).toBeLessThan(12_000);
  expect(code).toBe(3);
  const [first, second] = stderr.split('\n');
  expect(first).toMatch(/^logclient: The worker thread ended \(it did not start\)/);
  // The replacement delivers on exit, if there is time left.
  if (sink.events.length === 1) expect(second).toBe('');
  else expect(second).toMatch(/^logclient: 1 record was dropped/);
});

it('a pino worker delivers in order, and flush resolves after delivery', async () => {
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

it('a pino worker maps custom levels to their labels', async () => {
  const transport = pino.transport({ target: 'logclient/pino', options: options() });
  const logger = pino({ customLevels: { notice: 35 } }, transport);
  logger.notice('n');
  await new Promise<void>((resolve) => logger.flush(() => resolve()));
  expect(sink.events[0]?.attributes).toMatchObject({ level: 'notice', msg: 'n' });
  const closed = once(transport, 'close');
  transport.end();
  await closed;
});

it('a pino transport reports invalid options to the program', async () => {
  const transport = pino.transport({
    target: 'logclient/pino',
    options: { ...options(), maxBatchRecord: 1 },
  });
  const [error] = await once(transport, 'error');
  expect(error.message).toMatch(/Did you mean "maxBatchRecords"/);
});

describe('createPinoTransport()', () => {
  const pinoForms: [string, () => Promise<Pino>][] = [
    ['ESM', () => import('logclient/pino' as string)],
    ['CommonJS', async () => require('logclient/pino')],
  ];

  it.each(pinoForms)(
    'loaded as %s, delivers in order, maps custom levels, flushes and closes',
    async (_, load) => {
      sink.answer = () => ({ delayMs: 150 });
      const { createPinoTransport } = await load();
      const stream = createPinoTransport({ ...options(), tags: { service: 'shop' }, tagFields: ['level'] });
      const logger = pino({ customLevels: { notice: 35 } }, stream);
      for (let n = 0; n < 200; n++) logger.notice({ n }, 'hello');
      await new Promise<void>((resolve) => logger.flush(() => resolve()));
      expect(sink.events.map(({ attributes }) => attributes.n)).toEqual(
        Array.from({ length: 200 }, (__, n) => n),
      );
      expect(sink.events[0]?.attributes).toMatchObject({ level: 'notice', msg: 'hello', pid: process.pid });
      expect(sink.requests[0]?.groups.map(({ tags }) => tags)).toEqual([
        { service: 'shop', level: 'notice' },
      ]);
      expect(stream.stats).toMatchObject({ accepted: 200, delivered: 200, queuedRecords: 0 });
      logger.error('last');
      const closed = once(stream, 'close');
      stream.end();
      await once(stream, 'finish');
      expect(sink.events).toHaveLength(201);
      await closed;
      expect(stream.stats).toMatchObject({ accepted: 201, delivered: 201 });
    },
  );

  it('counts records that are logged after the end, and does not fail', async () => {
    const { createPinoTransport } = (await import('logclient/pino' as string)) as Pino;
    const warnings: string[] = [];
    const stream = createPinoTransport({
      ...options(),
      onWarning: ({ kind, message }) => warnings.push(`${kind}: ${message}`),
    });
    const logger = pino(stream);
    logger.info('before');
    const closed = once(stream, 'close');
    stream.end();
    logger.info('while it ends');
    await closed;
    logger.info('after');
    expect(sink.events.map(({ attributes }) => attributes.msg)).toEqual(['before']);
    expect(stream.stats).toMatchObject({ accepted: 3, delivered: 1, dropped: { closed: 2 } });
    expect(warnings[0]).toMatch(/^closed: 1 record was dropped: logged after close/);
  });

  it('does not mistake lines of the program for its own messages to the worker', async () => {
    const { createPinoTransport } = (await import('logclient/pino' as string)) as Pino;
    const lines = ['\u0004', '\u0001text', '\u0001{"levels":{"labels":{}}}', '\ttext', '[1]'];
    const stream = createPinoTransport({ ...options() });
    const logger = pino({ customLevels: { audit: 35 }, base: null }, stream);
    stream.write(`${lines.join('\n')}\n\n`);
    stream.write(`{}\n${lines.join('\n')}\n`);
    for (const line of lines) stream.write(`${line}\n`);
    logger.audit('the end');
    await new Promise<void>((resolve) => stream.once('close', resolve).end());
    const texts = sink.events.map(({ rawstring, attributes }) => rawstring?.replace(/^ /, '') ?? attributes);
    expect(texts).toEqual([...lines, {}, ...lines, ...lines, { level: 'audit', msg: 'the end' }]);
    expect(stream.stats).toMatchObject({ accepted: 17, delivered: 17 });
  });

  it('accepts strings and bytes in pieces that are not lines', async () => {
    const { createPinoTransport } = (await import('logclient/pino' as string)) as Pino;
    const stream = createPinoTransport({ ...options() });
    const bytes = Buffer.from('{"level":30,"msg":"ö"}\n{"level":30,"msg":"second"}\n');
    for (const byte of bytes) stream.write(Buffer.from([byte]));
    stream.write('{"level":40,');
    stream.write('"msg":"third"}');
    stream.end();
    await once(stream, 'close');
    expect(sink.events.map(({ attributes }) => attributes.msg)).toEqual(['ö', 'second', 'third']);
  });

  it('rejects options that a worker cannot use, and suggests an alternative', async () => {
    const { createPinoTransport } = (await import('logclient/pino' as string)) as Pino;
    for (const option of [{ fetch }, { agent: {} }]) {
      expect(() => createPinoTransport({ ...options(), ...(option as object) })).toThrow(
        /createPinoTransport: ".*" can't be passed to a worker thread.*createPinoStream/,
      );
    }
    expect(() => createPinoTransport({ ...options(), overflow: 'block' as never })).toThrow(/dropOldest/);
    expect(() => createPinoTransport({ ...options(), onDorp: 1 } as never)).toThrow(/Did you mean "onDrop"/);
  });
});

it('streams without references are garbage-collected, with their workers and listeners', async () => {
  const { code, stdout, stderr } = await runNode('test/fixtures/forget-stream.mjs', { SINK_URL: sink.url });
  expect(stderr).toBe('');
  expect(stdout).toBe('LogTransport,createPinoTransport 0\n');
  expect(code).toBe(0);
  expect(sink.events).toHaveLength(2);
});
