import { once } from 'node:events';
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import pino, { type TransportMultiOptions, type TransportPipelineOptions } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { runNode } from '../helpers/run-node.ts';

/** The built package, whose worker files can be loaded. */
type PinoEntry = typeof import('../../transports/pino/index.ts');
const { createPinoStream, createPinoTransport, flush }: PinoEntry = await import('logclient/pino' as string);

/** The type of pino.transport's result. */
type Transport = ReturnType<typeof pino.transport>;

const COUNT = 200;
const file = { target: 'pino/file', options: { destination: devNull } };
const transform = { target: resolve(import.meta.dirname, '../fixtures/pino-transform.mjs') };

let sink: IngestSink;
let options: { baseUrl: string; ingestToken: string; minRetryDelayMs: number };
let transports: { end(): void; once(event: string, listener: () => void): unknown }[] = [];

beforeEach(async () => {
  sink = await IngestSink.open();
  sink.answer = () => ({ delayMs: 150 });
  options = { baseUrl: sink.url, ingestToken: 'token', minRetryDelayMs: 5 };
});

afterEach(async () => {
  sink.answer = () => ({});
  for (const transport of transports) {
    const closed = once(transport as never, 'close');
    transport.end();
    await closed;
  }
  transports = [];
  await sink.close();
});

function open(given: object): Transport {
  const transport = pino.transport(given as TransportMultiOptions | TransportPipelineOptions);
  transports.push(transport);
  return transport;
}

function numbers(): unknown[] {
  return sink.events.map(({ attributes }) => attributes.n);
}

const all = Array.from({ length: COUNT }, (_, n) => n);

describe('flush()', () => {
  const ours = (): object => ({ target: 'logclient/pino', options });
  it.each<[string, () => object]>([
    ['one target', () => ({ ...ours() })],
    ['one target with a level', () => ({ targets: [{ ...ours(), level: 'info' }] })],
    ['two targets', () => ({ targets: [ours(), file] })],
    [
      'two targets with levels',
      () => ({
        targets: [
          { ...ours(), level: 'info' },
          { ...file, level: 'warn' },
        ],
      }),
    ],
    [
      'two targets with dedupe',
      () => ({
        dedupe: true,
        targets: [
          { ...ours(), level: 'info' },
          { ...file, level: 'error' },
        ],
      }),
    ],
    ['a pipeline', () => ({ pipeline: [transform, ours()] })],
    ['a pipeline among targets', () => ({ targets: [{ pipeline: [transform, ours()] }, file] })],
  ])('resolves once the service has all records of %s', async (_, given) => {
    const transport = open(given());
    const logger = pino(transport);
    for (const n of all) logger.info({ n }, 'hello');
    await flush(transport);
    expect(numbers()).toEqual(all);
    // With a running worker, and a logger instead of its stream.
    logger.child({ child: true }).info({ n: COUNT }, 'hello');
    await flush(logger.child({}));
    expect(numbers()).toEqual([...all, COUNT]);
  });

  it("resolves once the service has all lines, even if they exceed the worker's buffer", async () => {
    const transport = open({ targets: [ours(), file] });
    const logger = pino(transport);
    const text = 'x'.repeat(50_000);
    for (const n of all) logger.info({ n, text }, 'hello');
    await flush(logger);
    expect(numbers()).toEqual(all);
  });

  it('resolves once the service has all records of a multistream with its own levels', async () => {
    const held = open({ targets: [ours(), file] });
    const own = createPinoTransport({ ...options, tags: { stream: 'own' } });
    const same = createPinoStream({ ...options, tags: { stream: 'same' } });
    transports.push(own, same);
    const logger = pino(
      {},
      pino.multistream([{ stream: held }, { level: 'info', stream: own }, { level: 'warn', stream: same }]),
    );
    for (const n of all) logger.warn({ n }, 'hello');
    await flush(logger);
    expect(sink.events).toHaveLength(3 * COUNT);
  });
});

it('flush() resolves in an outage after closeTimeoutMs without a delivery', async () => {
  sink.answer = () => ({ status: 503 });
  const transport = open({
    targets: [{ target: 'logclient/pino', options: { ...options, closeTimeoutMs: 300 } }, file],
  });
  pino(transport).info('hello');
  await flush(transport);
  expect(sink.events).toEqual([]);
  expect(sink.requests.length).toBeGreaterThan(0);
});

it.each<[string, (target: object) => object]>([
  ['a target', (target) => target],
  ['one of the targets', (target) => ({ targets: [target] })],
  ['two targets', (target) => ({ targets: [target, file] })],
])('concurrent flushes of %s wait only once for closeTimeoutMs in an outage', async (_, given) => {
  sink.answer = () => ({ status: 503 });
  const slow = { ...options, closeTimeoutMs: 1_500 };
  const transport = open(given({ target: 'logclient/pino', options: slow }));
  const control = createPinoStream(slow);
  transports.push(control);
  const flushControl = (): Promise<void> => new Promise((settle) => control.flush(settle));
  pino(transport).info('hello');
  control.write('{"level":30,"time":0,"msg":"hello"}\n');
  // Until the worker runs.
  await flush(transport);
  const ended: string[] = [];
  await Promise.all([
    flushControl()
      .then(flushControl)
      .then(() => ended.push('two flushes of a stream')),
    Promise.all(Array.from({ length: 5 }, () => flush(transport))).then(() => ended.push('flushes')),
    Promise.all(
      Array.from({ length: 5 }, () => new Promise<void>((settle) => transport.flush(() => settle()))),
    ),
  ]);
  expect(ended).toEqual(['flushes', 'two flushes of a stream']);
  expect(sink.events).toEqual([]);
  // An end in an outage would block this process.
  sink.answer = () => ({});
  await flush(transport);
});

it('flush() delivers the records of a logger to which the program no longer refers', async () => {
  sink.answer = (_, index) => (index < 5 ? { status: 503 } : {});
  const env = { LOGSCALE_URL: sink.url, LOGSCALE_INGEST_TOKEN: 'token' };
  const program = resolve(import.meta.dirname, '../fixtures/pino-flush-garbage.mjs');
  expect(await runNode(program, env)).toMatchObject({ code: 0, stdout: 'flushed\n' });
  // After several failures, single records are tried first.
  expect(numbers().toSorted((a, b) => Number(a) - Number(b))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

it("flush() resolves for another package's transport, and for one that has ended", async () => {
  const transport = pino.transport(file);
  pino(transport).info('hello');
  await flush(transport);
  const closed = once(transport, 'close');
  transport.end();
  await flush(transport);
  await closed;
  await flush(transport);
});

it('flush() rejects an invalid argument and asks for a pino logger', async () => {
  await expect(flush({})).rejects.toThrow(/flush: pass a pino logger/);
});
