import { once } from 'node:events';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import winston from 'winston';
import { LogTransport, type LogTransportOptions } from '../../transports/winston/index.ts';
import { type Delivery, startDelivery } from '../helpers/delivery.ts';
import type { IngestSink } from '../helpers/ingest-sink.ts';
import { REALMS } from '../helpers/other-realm.ts';

const { format } = winston;

const EPOCH = '2026-02-03T09:00:00.000Z';

let delivery: Delivery;
let sink: IngestSink;
const transports: LogTransport[] = [];

beforeEach(async () => {
  delivery = await startDelivery();
  sink = delivery.sink;
});

afterEach(async () => {
  sink.answer = () => ({});
  for (const transport of transports.splice(0)) {
    transport.close();
    await transport.flush();
  }
});

function open(options: LogTransportOptions = {}): LogTransport {
  const transport = new LogTransport({ ...delivery.options, worker: false, ...options });
  transports.push(transport);
  return transport;
}

/** Logs with the given options and returns the attributes of the events that arrive. */
async function logged(
  options: winston.LoggerOptions,
  log: (logger: winston.Logger) => void,
): Promise<Record<string, unknown>[]> {
  const transport = open();
  log(winston.createLogger({ ...options, transports: [transport] }));
  await transport.flush();
  return sink.events.map(({ attributes }) => attributes);
}

describe('A winston logger with LogTransport', () => {
  it('delivers level, message, fields and the time of the call', async () => {
    const before = Date.now();
    const events = await logged({ defaultMeta: { service: 'shop' } }, (logger) => {
      logger.info('hello', { a: { b: 1 } });
      logger.child({ requestId: 'r1' }).log('error', 'failed');
      logger.log({ level: 'warn', message: 'object', n: 1 });
    });
    expect(events).toEqual([
      { service: 'shop', level: 'info', message: 'hello', a: { b: 1 } },
      { service: 'shop', level: 'error', message: 'failed', requestId: 'r1' },
      { service: 'shop', level: 'warn', message: 'object', n: 1 },
    ]);
    expect(sink.events[0]?.timestamp).toBeGreaterThanOrEqual(before);
    expect(sink.events[0]?.timestamp).toBeLessThanOrEqual(Date.now());
  });

  it('delivers the output of formats, without colors in the level', async () => {
    const options = {
      format: format.combine(format.splat(), format.colorize(), format.label({ label: 'web' })),
    };
    expect(await logged(options, (logger) => logger.info('%s has %d', 'bob', 3, { n: 1 }))).toEqual([
      { level: 'info', message: 'bob has 3', n: 1, label: 'web' },
    ]);
  });

  it.each<[string, winston.Logform.Format, Record<string, unknown>]>([
    ['align', format.align(), {}],
    ['cli', format.cli({ levels: winston.config.npm.levels }), {}],
    ['colorize', format.colorize({ all: true }), {}],
    ['errors', format.errors({ stack: true }), {}],
    ['json', format.json(), {}],
    ['label', format.label({ label: 'web' }), { label: 'web' }],
    ['logstash', format.logstash(), {}],
    ['timestamp, logstash', format.combine(format.timestamp({ format: () => EPOCH }), format.logstash()), {}],
    ['metadata', format.metadata(), { a: undefined, metadata: { a: 1 } }],
    ['ms', format.ms(), { ms: expect.stringMatching(/^\+\d+ms$/) }],
    ['padLevels', format.padLevels(), {}],
    ['prettyPrint', format.prettyPrint(), {}],
    ['printf', format.printf(({ level, message }) => `${level} ${message}`), {}],
    ['simple', format.simple(), {}],
    ['splat', format.splat(), {}],
    ['timestamp', format.timestamp({ format: () => EPOCH }), {}],
    ['uncolorize', format.uncolorize(), {}],
  ])('delivers what the format %s prints', async (name, each, fields) => {
    const records = await logged({ format: each }, (logger) => logger.error('payment failed', { a: 1 }));
    expect(records).toEqual([{ level: 'error', message: 'payment failed', a: 1, ...fields }]);
    if (name.startsWith('timestamp')) expect(sink.events[0]!.timestamp).toBe(EPOCH);
  });

  it('uses the timestamp of format.timestamp, and keeps one that is not a valid time as a field', async () => {
    const events = await logged({ format: format.timestamp() }, (logger) => logger.info('a'));
    expect(events).toEqual([{ level: 'info', message: 'a' }]);
    expect(sink.events[0]?.timestamp).toMatch(/^\d{4}-.*Z$/);
    const options = { format: format.timestamp({ format: 'HH:mm' }) };
    const [, event] = await logged(options, (logger) => logger.info('b'));
    expect(event?.timestamp).toMatch(/^\d\d:\d\d$/);
    expect(typeof sink.events[1]?.timestamp).toBe('number');
  });

  it('uses dates before 1973, which would be another time as a number', async () => {
    const dated = format((info) => ({ ...info, timestamp: new Date(Number(info.ms)) }));
    await logged({ format: dated() }, (logger) => {
      for (const ms of [5, Date.UTC(1971, 5, 1)]) logger.info({ message: 'a', ms });
    });
    expect(sink.events.map(({ timestamp }) => timestamp)).toEqual([5, Date.UTC(1971, 5, 1)]);
  });

  it.each(REALMS)('delivers errors of %s anywhere in a record, with their causes', async (_, errors) => {
    const error = Object.assign(new errors.TypeError('boom', { cause: new errors.Error('root') }), {
      code: 'E_BOOM',
    });
    const shown = { message: 'boom', stack: error.stack, code: 'E_BOOM', cause: { message: 'root' } };
    const events = await logged({ format: format.simple() }, (logger) => {
      logger.error('failed', error);
      logger.error(error);
      logger.log({ level: 'error', message: error as never });
      logger.error('failed', { error });
      logger.error('failed', 'for bob', error);
    });
    expect(events).toMatchObject([
      { ...shown, level: 'error', message: 'failed boom' },
      { ...shown, level: 'error', name: 'TypeError' },
      { ...shown, level: 'error', name: 'TypeError' },
      { level: 'error', message: 'failed', error: { ...shown, name: 'TypeError' } },
      { level: 'error', message: 'failed', error: shown },
    ]);
  });

  it('does not change the info object', async () => {
    const info = Object.freeze({
      level: 'info',
      message: 'hello',
      timestamp: new Date(),
      nested: Object.freeze({}),
    });
    const transport = open();
    transport.log(info, () => {});
    await transport.flush();
    expect(Object.keys(info)).toEqual(['level', 'message', 'timestamp', 'nested']);
    expect(sink.events).toHaveLength(1);
  });

  it('delivers unusual values without throwing or affecting the next record', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const info = {
      level: 'info',
      message: 'odd',
      circular,
      big: 1n,
      f: () => 1,
      list: [undefined, Number.NaN],
    };
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('hostile');
        },
      },
    );
    const transport = open();
    transport.log(info, () => {});
    transport.log(hostile, () => {});
    transport.log({ level: 'info', message: 'next' }, () => {});
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes)).toEqual([
      { level: 'info', message: 'odd', circular: { self: '[Circular]' }, big: '1', list: [null, 'NaN'] },
      { message: '[Throws: hostile]' },
      { level: 'info', message: 'next' },
    ]);
    expect(delivery.warnings).toEqual([]);
  });

  it('respects silent, its level and its format', async () => {
    const transport = open({ level: 'warn', format: format((info) => ({ ...info, own: true }))() });
    const logger = winston.createLogger({ level: 'silly', transports: [transport, open({ silent: true })] });
    logger.info('too low');
    logger.warn('high enough');
    logger.warn('with values %s', 'x');
    await transport.flush();
    expect(sink.events.map(({ attributes }) => [attributes.message, attributes.own])).toEqual([
      ['high enough', true],
      ['with values x', true],
    ]);
  });

  it.each<[string, LogTransportOptions]>([
    ['no options', {}],
    ['a level', { level: 'warn' }],
    ['silent', { silent: true }],
    ['handleExceptions', { handleExceptions: true }],
    ['a format', { format: format((info) => ({ ...info, own: true }))() }],
    ['a format that filters', { format: format((info) => info.level === 'error' && info)() }],
  ])('logs the same records as a winston transport, with %s', async (_, options) => {
    type TransportClass = new (options: object) => winston.transport;
    const { Transport } = winston as unknown as { Transport: TransportClass };
    const ours = open(options);
    const theirs = new Transport({ ...options, log() {} });
    const logs = [ours, theirs].map((transport) =>
      vi.spyOn(transport as LogTransport, 'log').mockImplementation((_info, done) => done?.()),
    );
    const logger = winston.createLogger({ transports: [ours, theirs] });
    for (const level of ['info', 'error']) {
      logger.level = level;
      for (const each of Object.keys(logger.levels)) logger.log(each, level);
      logger.log({ level: 'error', message: 'uncaught', exception: true });
    }
    const [logged, expected] = logs.map(({ mock }) => mock.calls.map(([info]) => info));
    expect(logged).toEqual(expected);
  });

  it('throws an error that names logclient/pino when pino logs to it', () => {
    const logger = pino(open());
    expect(() => logger.info('lost')).toThrow(/LogTransport .* got a string.* use logclient\/pino\./);
  });

  it("refuses a level that its logger doesn't have", () => {
    const add = (level: string, options = {}) =>
      winston.createLogger({ ...options, transports: [open({ level })] });
    expect(() => add('warning')).toThrow('LogTransport: "level" must be one of error, warn, info,');
    expect(() => add('warning', { levels: { warning: 0 } })).not.toThrow();
  });

  it("uses its logger's level after it was removed and added again", async () => {
    const transport = open();
    const logger = winston.createLogger({ transports: [transport] });
    logger.remove(transport).add(transport).debug('hidden').info('shown');
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes.message)).toEqual(['shown']);
  });

  it('drops the fields of a record whose format, which was set later, throws', async () => {
    const transport = open();
    const logger = winston.createLogger({ transports: [transport] });
    transport.format = format((info) => {
      if (info.message === 'bad') throw new TypeError('bug');
      return info;
    })();
    logger.info('bad', { n: 1 });
    logger.info('good', { n: 1 });
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes)).toEqual([
      { level: 'info', message: 'bad', formatError: '[Throws: bug]' },
      { level: 'info', message: 'good', n: 1 },
    ]);
  });

  it('adds tags from options and fields', async () => {
    const transport = open({ tags: { service: 'shop' }, tagFields: ['level', 'region'] });
    const logger = winston.createLogger({ transports: [transport] });
    logger.info('a', { region: 'eu' });
    logger.error('b');
    await transport.flush();
    expect(sink.requests[0]?.groups.map(({ tags }) => tags)).toEqual([
      { service: 'shop', level: 'info', region: 'eu' },
      { service: 'shop', level: 'error' },
    ]);
  });
});

describe('LogTransport', () => {
  // A process warning fails the test.
  it('can belong to more than ten loggers', async () => {
    const transport = open();
    for (let n = 0; n < 20; n++) winston.createLogger({ transports: [transport] }).info(`${n}`);
    await transport.flush();
    expect(sink.events).toHaveLength(20);
  });

  it('calls the log callback before log returns', () => {
    const callback = vi.fn();
    open().log({ level: 'info', message: 'hello' }, callback);
    expect(callback).toHaveBeenCalledOnce();
  });

  it('resolves flush() once a slow service has every record', async () => {
    sink.answer = () => ({ delayMs: 150 });
    const transport = open();
    const logger = winston.createLogger({ transports: [transport] });
    for (let n = 0; n < 200; n++) logger.info('hello', { n });
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes.n)).toEqual(
      Array.from({ length: 200 }, (_, n) => n),
    );
  });

  it('lets logger.end() finish once everything is delivered, and closes', async () => {
    sink.answer = (_, index) => (index === 0 ? { status: 503 } : { delayMs: 50 });
    const transport = open();
    const closed = once(transport, 'close');
    const logger = winston.createLogger({ transports: [transport] });
    for (let n = 0; n < 1_000; n++) logger.info('hello', { n });
    logger.end();
    await once(logger, 'finish');
    expect(sink.events).toHaveLength(1_000);
    await closed;
  });

  it('never emits an error for a delivery failure, and finishes in time', async () => {
    sink.answer = (_, index) => (index === 0 ? { status: 400 } : { hang: true });
    const transport = open({ closeTimeoutMs: 100 });
    const logger = winston.createLogger({ transports: [transport] });
    const onError = vi.fn();
    logger.on('error', onError);
    logger.info('refused');
    await transport.flush();
    logger.info('never answered');
    logger.end();
    // Before the request would time out.
    await once(logger, 'finish', { signal: AbortSignal.timeout(8_000) });
    expect(onError).not.toHaveBeenCalled();
    expect(delivery.warnings.map(({ kind }) => kind)).toEqual(['rejected', 'closed']);
  });

  it('delivers queued records when it is removed, and works again when it is added again', async () => {
    const transport = open();
    const logger = winston.createLogger({ transports: [transport] });
    logger.info('before');
    logger.remove(transport);
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes.message)).toEqual(['before']);
    logger.add(transport);
    logger.info('after');
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes.message)).toEqual(['before', 'after']);
  });

  it('is skipped by logger.query() and logger.stream(), as any transport without these methods', async () => {
    const logger = winston.createLogger({ transports: [open()] });
    expect(await promisify(logger.query.bind(logger))({} as winston.QueryOptions)).toEqual({});
    expect(logger.stream()).toMatchObject({ _streams: [] });
  });

  it('rejects invalid values, unknown names, a missing token and options that a worker cannot use', () => {
    for (const option of [{ fetch }, { agent: {} as never }]) {
      expect(() => new LogTransport({ ingestToken: 't', ...option })).toThrow(
        /can't be passed to a worker thread.*worker: false/,
      );
    }
    expect(() => new LogTransport({ ingestToken: 't', onDrop: 'yes' as never })).toThrow(
      /"onDrop" must be a function/,
    );
    expect(() => new LogTransport({ ingestToken: 't', overflow: 'block' as never })).toThrow(/dropOldest/);
    expect(() => new LogTransport({ ingestToken: 't', wroker: true } as never)).toThrow(
      /LogTransport has no option "wroker"/,
    );
    expect(() => new LogTransport({ baseUrl: delivery.sink.url })).toThrow(/LogTransport needs a token/);
  });
});
