import { once } from 'node:events';
import pino, { type Logger, type LoggerOptions } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LogOptionsException } from '../../src/core/errors.ts';
import {
  createPinoStream,
  createPinoTransport,
  type PinoStream,
  type PinoStreamOptions,
  pinoTransport,
} from '../../transports/pino/index.ts';

import { type Delivery, startDelivery } from '../helpers/delivery.ts';
import { eventually } from '../helpers/eventually.ts';
import type { IngestSink } from '../helpers/ingest-sink.ts';

let delivery: Delivery;
let sink: IngestSink;
const streams: PinoStream[] = [];

beforeEach(async () => {
  delivery = await startDelivery();
  sink = delivery.sink;
});

afterEach(async () => {
  sink.answer = () => ({});
  for (const stream of streams.splice(0)) {
    stream.destroy();
    await eventually(() => expect(stream.closed).toBe(true));
  }
});

function open(options: PinoStreamOptions = {}): PinoStream {
  const stream = createPinoStream({ ...delivery.options, ...options });
  streams.push(stream);
  return stream;
}

/** Logs with the given options and returns the events that arrive. */
async function logged(
  options: LoggerOptions<'notice'>,
  log: (logger: Logger<'notice'>) => void,
): Promise<unknown[]> {
  const logger = pino<'notice'>({ base: null, ...options }, open());
  log(logger);
  await new Promise<void>((resolve) => logger.flush(() => resolve()));
  return sink.events.map(({ attributes }) => attributes);
}

/** Lines of a program, one of which looks like the message with the levels, and one like the end message. */
const ODD_LINES = [
  '\u0001text',
  '\u0001{"levels":1}',
  '\u0001null',
  '\u0004',
  '\ttext',
  '\u0000',
  '{',
  '[1]',
];

it('createPinoStream delivers lines that are not JSON objects as raw strings', async () => {
  const stream = open();
  const logger = pino({ customLevels: { audit: 35 }, base: null }, stream);
  stream.write(`${ODD_LINES.join('\n')}\n\n`);
  for (const line of ODD_LINES) stream.write(`${line}\n`);
  logger.audit('the end');
  await new Promise<void>((resolve) => stream.once('close', resolve).end());
  const texts = sink.events.map(({ rawstring, attributes }) => rawstring ?? attributes);
  expect(texts).toEqual([...ODD_LINES, ...ODD_LINES, { level: 'audit', msg: 'the end' }]);
});

describe('A pino logger on createPinoStream', () => {
  it('delivers records with labels, fields and timestamps', async () => {
    const before = Date.now();
    const events = await logged({ base: { pid: 1 } }, (logger) => {
      logger.info({ a: { b: 1 } }, 'hello');
      logger.child({ requestId: 'r1' }).error('failed');
    });
    expect(events).toEqual([
      { level: 'info', pid: 1, a: { b: 1 }, msg: 'hello' },
      { level: 'error', pid: 1, requestId: 'r1', msg: 'failed' },
    ]);
    for (const { timestamp } of sink.events) {
      expect(timestamp).toBeGreaterThanOrEqual(before);
      expect(timestamp).toBeLessThanOrEqual(Date.now());
    }
  });

  it('maps custom levels to their labels', async () => {
    expect(
      await logged({ customLevels: { notice: 35 } }, (logger) => {
        logger.notice('n');
        logger.warn('w');
      }),
    ).toEqual([
      { level: 'notice', msg: 'n' },
      { level: 'warn', msg: 'w' },
    ]);
  });

  it('keeps the effects of formatters, messageKey, nestedKey and redact', async () => {
    const options: LoggerOptions<'notice'> = {
      messageKey: 'message',
      nestedKey: 'payload',
      redact: ['password'],
      formatters: { level: (label) => ({ severity: label.toUpperCase() }) },
    };
    expect(await logged(options, (logger) => logger.info({ a: 1, password: 'p' }, 'hello'))).toEqual([
      { severity: 'INFO', payload: { a: 1, password: '[Redacted]' }, message: 'hello' },
    ]);
  });

  it('delivers errors with their stack', async () => {
    const [event] = await logged({}, (logger) => logger.error(new TypeError('boom')));
    expect(event).toMatchObject({
      level: 'error',
      msg: 'boom',
      err: { type: 'TypeError', message: 'boom', stack: expect.stringContaining('TypeError: boom') },
    });
  });

  it.each([
    ['isoTime', pino.stdTimeFunctions.isoTime],
    ['epochTime', pino.stdTimeFunctions.epochTime],
    ['unixTime', pino.stdTimeFunctions.unixTime],
    ['seconds with a fraction', () => `,"time":${Date.now() / 1000}`],
    ['nanoseconds', () => `,"time":${BigInt(Date.now()) * 1_000_000n}`],
    ['isoTimeNano', pino.stdTimeFunctions.isoTimeNano],
    ['none', false as const],
  ])('sets the event time with timestamp: %s', async (_, timestamp) => {
    const events = await logged({ timestamp }, (logger) => logger.info('hello'));
    expect(events).toEqual([{ level: 'info', msg: 'hello' }]);
    const at = new Date(sink.events[0]!.timestamp).getTime();
    expect(Math.abs(at - Date.now())).toBeLessThan(10_000);
  });

  it('joins chunks into lines, and delivers plain text as raw strings', async () => {
    const stream = open();
    stream.write('plain ');
    stream.write('text\r\n\n{"level":30,"msg":"');
    stream.write('whole"}\n');
    stream.end('without an end');
    await once(stream, 'close');
    expect(sink.events.map(({ attributes, rawstring }) => rawstring ?? attributes)).toEqual([
      'plain text',
      { level: 'info', msg: 'whole' },
      'without an end',
    ]);
  });

  it('adds tags from options and fields', async () => {
    const logger = pino(open({ tags: { service: 'shop' }, tagFields: ['level'] }));
    logger.info('a');
    logger.error('b');
    await new Promise<void>((resolve) => logger.flush(() => resolve()));
    expect(sink.requests[0]?.groups.map(({ tags }) => tags)).toEqual([
      { service: 'shop', level: 'info' },
      { service: 'shop', level: 'error' },
    ]);
  });
});

describe('createPinoStream', () => {
  it('calls the flush callback once a slow service has everything', async () => {
    sink.answer = () => ({ delayMs: 150 });
    const logger = pino(open());
    for (let n = 0; n < 200; n++) logger.info({ n }, 'hello');
    await new Promise<void>((resolve) => logger.flush(() => resolve()));
    expect(sink.events.map(({ attributes }) => attributes.n)).toEqual(
      Array.from({ length: 200 }, (_, n) => n),
    );
  });

  it('finishes and closes once everything is delivered', async () => {
    sink.answer = (_, index) => (index === 0 ? { status: 503 } : { delayMs: 50 });
    const stream = open();
    const logger = pino(stream);
    for (let n = 0; n < 100; n++) logger.info('hello');
    stream.end();
    await once(stream, 'finish');
    expect(sink.events).toHaveLength(100);
    await once(stream, 'close');
  });

  it('closes in time and without an error if the service hangs, and counts the loss', async () => {
    sink.answer = () => ({ hang: true });
    const stream = open({ closeTimeoutMs: 100 });
    const onError = vi.fn();
    stream.on('error', onError);
    stream.write('{"level":30,"msg":"lost"}\n');
    stream.end();
    // Before the request would time out.
    await once(stream, 'close', { signal: AbortSignal.timeout(8_000) });
    expect(onError).not.toHaveBeenCalled();
    expect(stream.stats).toMatchObject({ accepted: 1, dropped: { closed: 1 } });
    expect(delivery.warnings.map(({ kind }) => kind)).toEqual(['closed']);
  });

  it('emits no error if the service responds with 400, 401, 413, 500 or 503', async () => {
    const statuses = [400, 401, 413, 500, 503];
    sink.answer = (_, index) => ({ status: statuses[index] ?? 200 });
    const stream = open({ maxRetryDelayMs: 5 });
    const onError = vi.fn();
    stream.on('error', onError);
    for (let n = 0; n < 5; n++) {
      stream.write(`{"level":30,"n":${n}}\n`);
      await new Promise<void>((resolve) => stream.flush(resolve));
    }
    expect(onError).not.toHaveBeenCalled();
    expect(stream.stats).toMatchObject({ accepted: 5, delivered: 4, dropped: { rejected: 1 } });
  });

  it('flushes in the middle of a line without splitting it', async () => {
    sink.answer = () => ({ delayMs: 50 });
    const stream = open({ overflow: 'block', maxQueueBytes: 100, flushIntervalMs: 1 });
    // The second line waits for capacity, and so does the stream.
    stream.write('{"level":30,"n":1}\n{"level":30,"n":2}\n{"level"');
    await new Promise<void>((resolve) => stream.flush(resolve));
    expect(sink.events.map(({ attributes }) => attributes.n)).toEqual([1, 2]);
    stream.end(':30,"n":3}\n');
    await once(stream, 'close');
    expect(sink.events.map(({ attributes }) => attributes.n)).toEqual([1, 2, 3]);
  });

  it('applies backpressure with overflow: block, and loses nothing', async () => {
    sink.answer = () => ({ delayMs: 5 });
    const stream = open({ overflow: 'block', maxQueueBytes: 2_000, flushIntervalMs: 1 });
    let waits = 0;
    for (let n = 0; n < 200; n++) {
      if (!stream.write(`{"level":30,"n":${n},"text":"${'x'.repeat(400)}"}\n`)) {
        waits++;
        await once(stream, 'drain');
      }
    }
    await new Promise<void>((resolve) => stream.flush(resolve));
    expect(sink.events.map(({ attributes }) => attributes.n)).toEqual(
      Array.from({ length: 200 }, (_, n) => n),
    );
    expect(waits).toBeGreaterThan(0);
    expect(stream.stats.dropped.overflow).toBe(0);
  });
});

it('a record logged after the stream has closed is counted as dropped, with a warning', async () => {
  const stream = open();
  const logger = pino({ base: null }, stream);
  logger.info('before');
  stream.end();
  await once(stream, 'close');
  logger.info('after');
  expect(sink.events.map(({ attributes }) => attributes.msg)).toEqual(['before']);
  expect(stream.stats).toMatchObject({ accepted: 2, delivered: 1, dropped: { closed: 1 } });
  expect(delivery.warnings.at(-1)?.message).toMatch(/logged after close/);
});

describe('Pino transport options', () => {
  it('that are functions are rejected in the worker, with a hint at createPinoStream', async () => {
    const options = { ingestToken: 'token', onDrop: () => {} };
    await expect(pinoTransport(options)).rejects.toThrow(/"onDrop" is a function.*createPinoStream/);
  });

  it('are rejected with an error that names createPinoStream or logclient/pino', async () => {
    const misspelled: object = { ingestToken: 'token', flushIntervalMS: 5 };
    const hint = 'has no option "flushIntervalMS". Did you mean "flushIntervalMs"?';
    expect(() => createPinoStream(misspelled)).toThrow(`createPinoStream ${hint}`);
    expect(() => createPinoStream({ ingestToken: 'token', spool: {} as never })).toThrow(
      /^createPinoStream "spool"/,
    );
    await expect(pinoTransport(misspelled)).rejects.toThrow(`logclient/pino ${hint}`);
  });

  it.each([
    ['createPinoTransport', createPinoTransport],
    ['createPinoStream', createPinoStream],
  ])('cannot include the level: the error of %s says where to set it', (name, create) => {
    const options: object = { ingestToken: 'token', level: 'debug' };
    const message = `${name} has no option "level". Set it on the logger: pino({ level }, stream), or on its entry in pino.multistream([{ level, stream }]) or pino.transport({ targets }).`;
    expect(() => create(options)).toThrow(new LogOptionsException(message));
  });

  it('cannot include overflow: block in the worker', async () => {
    const options = { ingestToken: 'token', overflow: 'block' as never };
    await expect(pinoTransport(options)).rejects.toThrow(/"dropOldest" or "dropNewest"/);
  });
});
