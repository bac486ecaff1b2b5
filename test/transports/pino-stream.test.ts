import { once } from 'node:events';
import pino, { type Logger, type LoggerOptions } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createPinoStream,
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

it('delivers lines that are no JSON as texts, whatever is in them', async () => {
  const stream = open();
  const logger = pino({ customLevels: { audit: 35 }, base: null }, stream);
  stream.write(`${ODD_LINES.join('\n')}\n\n`);
  for (const line of ODD_LINES) stream.write(`${line}\n`);
  logger.audit('the end');
  await new Promise<void>((resolve) => stream.once('close', resolve).end());
  const texts = sink.events.map(({ rawstring, attributes }) => rawstring ?? attributes);
  expect(texts).toEqual([...ODD_LINES, ...ODD_LINES, { level: 'audit', msg: 'the end' }]);
});

describe('a pino logger on the stream', () => {
  it('delivers its records with labels, fields and times', async () => {
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

  it('knows custom levels', async () => {
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

  it('keeps what formatters, messageKey, nestedKey, errorKey and redaction make of a record', async () => {
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
  ])('understands the timestamp %s', async (_, timestamp) => {
    const events = await logged({ timestamp }, (logger) => logger.info('hello'));
    expect(events).toEqual([{ level: 'info', msg: 'hello' }]);
    const at = new Date(sink.events[0]!.timestamp).getTime();
    expect(Math.abs(at - Date.now())).toBeLessThan(10_000);
  });

  it('delivers a line that is no JSON as raw text', async () => {
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

  it('takes tags from options and fields', async () => {
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

describe('the stream', () => {
  it('calls flush back when a slow service has everything', async () => {
    sink.answer = () => ({ delayMs: 150 });
    const logger = pino(open());
    for (let n = 0; n < 200; n++) logger.info({ n }, 'hello');
    await new Promise<void>((resolve) => logger.flush(() => resolve()));
    expect(sink.events.map(({ attributes }) => attributes.n)).toEqual(
      Array.from({ length: 200 }, (_, n) => n),
    );
  });

  it('finishes and closes when everything is delivered', async () => {
    sink.answer = (_, index) => (index === 0 ? { status: 503 } : { delayMs: 50 });
    const stream = open();
    const logger = pino(stream);
    for (let n = 0; n < 100; n++) logger.info('hello');
    stream.end();
    await once(stream, 'finish');
    expect(sink.events).toHaveLength(100);
    await once(stream, 'close');
  });

  it('closes in time and without an error when the service hangs, and counts the loss', async () => {
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

  it('emits no error whatever the service answers', async () => {
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
    expect(stream.stats).toMatchObject({ accepted: 5, delivered: 3, dropped: { rejected: 2 } });
  });

  it('flushes in the middle of a line without cutting it', async () => {
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

  it('holds back its writer with overflow block, and loses nothing', async () => {
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

it('a logger that comes after the end of its stream loses a record, which is counted, and no more', async () => {
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

describe('the options', () => {
  it('of the worker are refused when they are functions, with the way out', async () => {
    const options = { ingestToken: 'token', onDrop: () => {} };
    await expect(pinoTransport(options)).rejects.toThrow(/"onDrop" is a function.*createPinoStream/);
  });

  it('are refused in the name of what takes them', async () => {
    const misspelled: object = { ingestToken: 'token', flushIntervalMS: 5 };
    const hint = 'has no option "flushIntervalMS". Did you mean "flushIntervalMs"?';
    expect(() => createPinoStream(misspelled)).toThrow(`createPinoStream ${hint}`);
    expect(() => createPinoStream({ ingestToken: 'token', spool: {} as never })).toThrow(
      /^createPinoStream "spool"/,
    );
    await expect(pinoTransport(misspelled)).rejects.toThrow(`logclient/pino ${hint}`);
  });

  it('of the worker do not know block', async () => {
    const options = { ingestToken: 'token', overflow: 'block' as never };
    await expect(pinoTransport(options)).rejects.toThrow(/"dropOldest" or "dropNewest"/);
  });
});
