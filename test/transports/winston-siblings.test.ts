import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import latest from 'winston';
import winston310 from 'winston-3.10';
import winston313 from 'winston-3.13';
import winston317 from 'winston-3.17';
import { assertLoggedTimes, assertNotLogged, captureLogs } from '../../src/testing/index.ts';
import { LogTransport, type LogTransportOptions } from '../../transports/winston/index.ts';
import { type Delivery, startDelivery } from '../helpers/delivery.ts';
import { useHandClock } from '../helpers/hand-clock.ts';

type Winston = typeof latest;
type Info = Record<string | symbol, unknown>;

const VERSIONS: readonly (readonly [string, Winston])[] = [
  ['3.10', winston310 as unknown as Winston],
  ['3.13', winston313 as unknown as Winston],
  ['3.17', winston317 as unknown as Winston],
  ['the latest version', latest],
];

/** A transport that calls back when it is released: until then, all records after the first 16 wait in the logger. */
function openSlow(winston: Winston) {
  const { Transport } = winston as unknown as { Transport: new (options: object) => latest.transport };
  const infos: Info[] = [];
  const waiting: (() => void)[] = [];
  let isReleased = false;
  const transport = new Transport({
    log(info: Info, callback: () => void) {
      infos.push(info);
      if (isReleased) callback();
      else waiting.push(callback);
    },
  });
  const release = (): void => {
    isReleased = true;
    for (const callback of waiting.splice(0)) callback();
  };
  return { transport, infos, release };
}

async function open(options: LogTransportOptions = {}): Promise<Delivery & { transport: LogTransport }> {
  const delivery = await startDelivery();
  const transport = new LogTransport({ ...delivery.options, worker: false, ...options });
  onTestFinished(async () => {
    transport.close();
    await transport.flush();
  });
  return { ...delivery, transport };
}

const COUNT = 200;
const NUMBERS = Array.from({ length: COUNT }, (_, n) => n);

describe.each(VERSIONS)('Beside a slow transport, in winston %s,', (_, winston) => {
  const { format } = winston;

  it('each record has the time and the trace of its call, is delivered by flush(), and is formatted once', async () => {
    const clock = useHandClock();
    const { transport, sink } = await open();
    const slow = openSlow(winston);
    const trace = new AsyncLocalStorage<number>();
    const traced = format((info) =>
      Object.assign(info, { trace: trace.getStore(), message: `[x] ${info.message}` }),
    );
    const logger = winston.createLogger({
      format: format.combine(traced(), format.json()),
      transports: [slow.transport, transport],
    });
    const times = NUMBERS.map((n) => {
      clock.move(10);
      trace.run(n, () => logger.info('hello', { n }));
      return clock.now();
    });
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes)).toEqual(
      NUMBERS.map((n) => ({ level: 'info', message: '[x] hello', n, trace: n })),
    );
    expect(sink.events.map(({ timestamp }) => timestamp)).toEqual(times);
    slow.release();
    await expect.poll(() => slow.infos.length).toBe(COUNT);
    expect(slow.infos.map(({ n, trace, message }) => [n, trace, message])).toEqual(
      NUMBERS.map((n) => [n, n, '[x] hello']),
    );
    await transport.flush();
    expect(sink.events).toHaveLength(COUNT);
  });

  it('a record that is logged twice, or through a child, arrives as often as it is logged', async () => {
    const { transport, sink } = await open();
    const slow = openSlow(winston);
    const logger = winston.createLogger({ transports: [slow.transport, transport] });
    const record = { level: 'info', message: 'same' };
    for (const _ of NUMBERS) logger.log(record);
    const child = logger.child({ request: 'r1' });
    child.info('child');
    slow.release();
    await expect.poll(() => slow.infos.length).toBe(COUNT + 1);
    logger.log(record);
    await transport.flush();
    expect(sink.events).toHaveLength(COUNT + 2);
    expect(slow.infos).toHaveLength(COUNT + 2);
  });

  it('fields that a library for tracing adds in `write` arrive, and are printed', async () => {
    const prototype = Object.getPrototypeOf(Object.getPrototypeOf(winston.createLogger())) as latest.Logger;
    const { write } = prototype;
    onTestFinished(() => void Object.assign(prototype, { write }));
    // As OpenTelemetry changes the record, and Datadog replaces it.
    Object.assign(prototype, {
      write(info: Info, ...rest: unknown[]) {
        info.trace_id = 't1';
        return Reflect.apply(write, this, [new Proxy(info, {}), ...rest]);
      },
    });
    const { transport, sink } = await open();
    const slow = openSlow(winston);
    const logger = winston.createLogger({ transports: [slow.transport, transport] });
    for (const n of NUMBERS) logger.info('hello', { n });
    await transport.flush();
    const expected = NUMBERS.map((n) => ({ level: 'info', message: 'hello', n, trace_id: 't1' }));
    expect(sink.events.map(({ attributes }) => attributes)).toEqual(expected);
    slow.release();
    await expect.poll(() => slow.infos).toMatchObject(expected);
    await transport.flush();
    expect(sink.events).toHaveLength(COUNT);
  });

  it('removing the transport while records wait changes nothing for the other', async () => {
    const { transport, sink } = await open();
    const slow = openSlow(winston);
    const prefixed = format((info) => Object.assign(info, { message: `[x] ${info.message}` }))();
    const logger = winston.createLogger({ format: prefixed, transports: [slow.transport, transport] });
    for (const n of NUMBERS) logger.info(`r${n}`);
    logger.remove(transport);
    logger.info('later');
    slow.release();
    const messages = [...NUMBERS.map((n) => `[x] r${n}`), '[x] later'];
    await expect.poll(() => slow.infos.map(({ message }) => message)).toEqual(messages);
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes.message)).toEqual(messages.slice(0, -1));
  });

  it('a transport that is removed and added again while records wait gets none twice', async () => {
    const { transport, sink } = await open();
    const slow = openSlow(winston);
    const logger = winston.createLogger({ transports: [slow.transport, transport] });
    for (const n of NUMBERS) logger.info('before', { n });
    logger.remove(transport).add(transport);
    logger.info('after', { n: COUNT });
    slow.release();
    await expect.poll(() => slow.infos.length).toBe(COUNT + 1);
    await transport.flush();
    expect(new Set(sink.events.map(({ attributes }) => attributes.n))).toEqual(new Set([...NUMBERS, COUNT]));
    expect(sink.events).toHaveLength(COUNT + 1);
  });

  it('an error arrives with its cause and the errors that it combines, wherever it is among the values', async () => {
    const { transport, sink } = await open();
    const usual = format.combine(format.errors({ stack: true }), format.splat(), format.json());
    const logger = winston.createLogger({
      format: usual,
      transports: [openSlow(winston).transport, transport],
    });
    const cause = { message: 'root', errors: [{ message: 'refused' }] };
    const errors = [{ message: 'timeout' }];
    const root = new AggregateError([new Error('refused')], 'root');
    const error = new AggregateError([new Error('timeout')], 'boom', { cause: root });
    logger.error('failed', error);
    logger.error('failed for %s', 'bob', error);
    logger.error('failed', { order: 7 }, error);
    logger.error(error);
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes)).toMatchObject([
      { message: 'failed boom', stack: error.stack, cause, errors },
      { message: 'failed for bob', error: { stack: error.stack, cause, errors } },
      { message: 'failed', order: 7, error: { stack: error.stack, cause, errors } },
      { message: 'boom', stack: error.stack, cause, errors },
    ]);
  });

  it('the test kit sees every record', async () => {
    const logger = winston.createLogger({ transports: [openSlow(winston).transport] });
    const logs = await captureLogs(logger as never);
    onTestFinished(() => logs.close());
    for (const n of NUMBERS) logger.info('hello', { n });
    logger.error('secret leaked');
    await expect(assertNotLogged(logs, 'level=error')).rejects.toThrow('secret leaked');
    await assertLoggedTimes(logs, '*', COUNT + 1);
  });

  it('a record between end() and finish is dropped and counted, and the program goes on', async () => {
    const { transport, warnings } = await open();
    const logger = winston.createLogger({ transports: [transport] });
    const onError = vi.fn();
    logger.on('error', onError);
    logger.info('before');
    const finished = new Promise((resolve) => transport.once('finish', resolve));
    transport.end();
    logger.info('late');
    await finished;
    expect(transport.stats).toMatchObject({ accepted: 2, delivered: 1, dropped: { closed: 1 } });
    expect(warnings).toMatchObject([{ kind: 'closed' }]);
    expect(onError).not.toHaveBeenCalled();
  });
});

describe('The record of a winston logger', () => {
  const { format } = latest;

  it('keeps a timestamp that the call passed as a field, and takes one that a format added as its time', async () => {
    const clock = useHandClock();
    const { transport, sink } = await open();
    const dated = format((info) =>
      Object.assign(info, { timestamp: info.timestamp ?? '2026-01-02T03:04:05Z' }),
    );
    const logger = latest.createLogger({
      format: format.combine(format.splat(), dated()),
      transports: [transport],
    });
    logger.info('webhook received', { timestamp: '1748943884' });
    logger.info('%s received', 'webhook', { timestamp: '1748943884' });
    logger.info('webhook received');
    await transport.flush();
    const field = { level: 'info', message: 'webhook received', timestamp: '1748943884' };
    expect(sink.events).toMatchObject([
      { timestamp: clock.now(), attributes: field },
      { timestamp: clock.now(), attributes: field },
      { timestamp: '2026-01-02T03:04:05Z', attributes: { level: 'info', message: 'webhook received' } },
    ]);
    expect(sink.events[2]?.attributes).not.toHaveProperty('timestamp');
  });

  it.each([
    ['none', undefined],
    ['colorize all', format.colorize({ all: true })],
    ['cli', format.cli()],
  ])('has its values in the message, without colors and padding: %s', async (_, chain) => {
    const { transport, sink } = await open();
    const logger = latest.createLogger({ ...(chain && { format: chain }), transports: [transport] });
    logger.info('order placed');
    logger.info('user %s from %s', 'bob', 'here', { tenantId: 't1' });
    logger.warn('GET /x%dc', { status: 500 });
    logger.info('%s', '%d');
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes)).toEqual([
      { level: 'info', message: 'order placed' },
      { level: 'info', message: 'user bob from here', tenantId: 't1' },
      { level: 'warn', message: 'GET /x%dc', status: 500 },
      { level: 'info', message: '%d' },
    ]);
  });

  it('keeps a message that a format has changed, and a stack that it has redacted', async () => {
    const { transport, sink } = await open();
    const mask = format((info) => Object.assign(info, { message: `[web] ${info.message}`, stack: '***' }));
    const logger = latest.createLogger({ format: mask(), transports: [transport] });
    logger.error('user %s', 'bob');
    logger.error('failed', new Error('token s3cr3t'));
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes)).toMatchObject([
      { message: '[web] user %s' },
      { message: '[web] failed token s3cr3t', stack: '***' },
    ]);
    expect(sink.events[1]?.attributes).not.toHaveProperty('error');
  });
});
