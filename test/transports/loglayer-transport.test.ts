import { LogLayer, type LogLayerTransport, LogLevel } from 'loglayer';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogTransport, type LogTransportOptions } from '../../transports/loglayer/index.ts';
import { type Delivery, startDelivery } from '../helpers/delivery.ts';
import { REALMS } from '../helpers/other-realm.ts';

async function open(more: LogTransportOptions = {}): Promise<Delivery & { transport: LogTransport }> {
  const delivery = await startDelivery();
  const transport = new LogTransport({ ...delivery.options, worker: false, ...more });
  onTestFinished(() => transport.close());
  return { ...delivery, transport };
}

/** The delivered records that `log` logs. */
async function delivered(
  log: (logger: LogLayer) => void,
  config: Partial<ConstructorParameters<typeof LogLayer>[0]> = {},
): Promise<Record<string, unknown>[]> {
  const { transport, sink } = await open();
  log(new LogLayer({ ...config, transport }));
  await transport.flush();
  return sink.events.map(({ attributes }) => attributes);
}

describe('A LogLayer record', () => {
  it.each(['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)(
    'has the level %s',
    async (level) => {
      expect(await delivered((log) => log[level]('hello'))).toEqual([{ level, message: 'hello' }]);
    },
  );

  it('has its messages joined by spaces, after the prefix', async () => {
    const records = await delivered((log) => log.withPrefix('[shop]').info('order', 7, true, 'placed'));
    expect(records).toEqual([{ level: 'info', message: '[shop] order 7 true placed' }]);
  });

  it('has metadata and context as fields', async () => {
    const records = await delivered((log) => {
      log.withContext({ reqId: 'r-1' });
      log.withMetadata({ cart: { items: 3 }, big: 10n }).info('order placed');
      log.metadataOnly({ only: 'metadata' });
    });
    expect(records).toEqual([
      { level: 'info', message: 'order placed', reqId: 'r-1', cart: { items: 3 }, big: '10' },
      { level: 'info', reqId: 'r-1', only: 'metadata' },
    ]);
  });

  it("uses the field names in LogLayer's configuration", async () => {
    const log = (logger: LogLayer): void => {
      logger.withContext({ a: 1 });
      logger.withMetadata({ b: 2 }).withError(new Error('boom')).info('hello');
    };
    const config = { contextFieldName: 'context', metadataFieldName: 'metadata', errorFieldName: 'error' };
    expect(await delivered(log, config)).toMatchObject([
      { context: { a: 1 }, metadata: { b: 2 }, error: { message: 'boom' } },
    ]);
  });

  it.each(REALMS)('has errors of %s with their name, stack, cause and custom fields', async (_, errors) => {
    const error = Object.assign(new errors.TypeError('top', { cause: new errors.Error('root') }), {
      code: 'E_TOP',
    });
    const records = await delivered((log) => {
      log.withError(error).error('failed');
      log.errorOnly(error);
    });
    const err = {
      name: 'TypeError',
      message: 'top',
      stack: expect.stringContaining('TypeError: top\n    at '),
      cause: { message: 'root' },
      code: 'E_TOP',
    };
    expect(records).toMatchObject([
      { level: 'error', message: 'failed', err },
      { level: 'error', err },
    ]);
    expect(records[1]).not.toHaveProperty('message');
  });

  it('has an error as errorSerializer returns it', async () => {
    const config = { errorSerializer: (error: Error) => ({ text: error.message }) };
    const [record] = await delivered((log) => log.errorOnly(new Error('boom')), config);
    expect(record).toEqual({ level: 'error', err: { text: 'boom' } });
  });

  it('keeps its level and message, and fields of these names under another name, and ignores functions', async () => {
    const fields = { level: 'mine', message: 'mine', toJSON: () => 'replaced' };
    const records = await delivered((log) => log.withMetadata(fields).warn('hello'));
    expect(records).toEqual([{ level: 'warn', message: 'hello', _level: 'mine', _message: 'mine' }]);
  });
});

describe('The LogLayer transport', () => {
  it('ignores records below its level and while it is disabled', async () => {
    const { transport, sink } = await open({ level: 'warn' });
    const log = new LogLayer({ transport });
    log.info('below');
    log.warn('at');
    transport.level = 'fatal';
    log.error('below');
    log.fatal('above');
    transport.enabled = false;
    log.fatal('disabled');
    transport._sendToLogger({ logLevel: 'fatal', messages: ['disabled'] });
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes.message)).toEqual(['at', 'above']);
  });

  it('has the members and types that LogLayer requires, and its id', async () => {
    const { transport } = await open({ id: 'logscale' });
    const required: LogLayerTransport = transport;
    const log = new LogLayer({ transport: required });
    expect(log.getLoggerInstance<LogTransport>('logscale')).toBe(transport);
    expect(transport.shipToLogger({ logLevel: LogLevel.info, messages: ['a', 1] })).toEqual(['a', 1]);
    const [one, two] = [await open(), await open()];
    expect(one.transport.id).not.toBe(two.transport.id);
  });

  it('works alongside other transports, and with groups', async () => {
    const [all, billing] = [await open({ id: 'all' }), await open({ id: 'billing' })];
    const log = new LogLayer({
      transport: [all.transport, billing.transport],
      groups: { billing: { transports: ['billing'] } },
      ungroupedBehavior: ['all'],
    });
    log.info('for all');
    log.withGroup('billing').info('for billing');
    await Promise.all([all.transport.flush(), billing.transport.flush()]);
    expect(all.sink.events.map(({ attributes }) => attributes.message)).toEqual(['for all']);
    expect(billing.sink.events.map(({ attributes }) => attributes.message)).toEqual(['for billing']);
  });

  it('adds tags from options and fields', async () => {
    const { transport, sink } = await open({ tags: { service: 'shop' }, tagFields: ['level'] });
    new LogLayer({ transport }).warn('hello');
    await transport.flush();
    expect(sink.requests[0]?.groups.map(({ tags }) => tags)).toEqual([{ service: 'shop', level: 'warn' }]);
  });

  it('delivers its records when LogLayer removes it, and reopens for child loggers', async () => {
    const { transport, sink } = await open({ id: 'removed', flushIntervalMs: 60_000 });
    const log = new LogLayer({ transport });
    const child = log.child();
    log.info('before');
    expect(log.removeTransport('removed')).toBe(true);
    await expect.poll(() => sink.events.length).toBe(1);
    child.info('after');
    await transport.flush();
    expect(sink.events.map(({ attributes }) => attributes.message)).toEqual(['before', 'after']);
  });

  it('delivers its records when it is disposed', async () => {
    const { transport, sink } = await open({ flushIntervalMs: 60_000 });
    new LogLayer({ transport }).info('hello');
    await transport[Symbol.asyncDispose]();
    expect(sink.events).toHaveLength(1);
  });

  it('counts and emits dropped records', async () => {
    const { transport, sink } = await open();
    sink.answer = () => ({ status: 400 });
    const onDrop = vi.fn();
    transport.on('drop', onDrop);
    new LogLayer({ transport }).info('rejected');
    await transport.flush();
    expect(onDrop).toHaveBeenCalledWith(expect.objectContaining({ reason: 'rejected', records: 1 }));
    expect(transport.stats).toMatchObject({ accepted: 1, delivered: 0, dropped: { rejected: 1 } });
  });

  it.each([
    [{ enabled: 'yes' }, /"enabled" must be true or false/],
    [{ level: 'warning' }, /"level" must be one of trace, debug/],
    [{ overflow: 'block' }, /"overflow" can't be "block"/],
    [{ fetch }, /"fetch" can't be passed to a worker thread\. Set worker: false/],
    [{ tagss: {} }, /LogTransport has no option "tagss"\. Did you mean "tags"/],
  ])('rejects the options %j', (options, message) => {
    expect(() => new LogTransport({ ingestToken: 'token', ...options } as LogTransportOptions)).toThrow(
      message,
    );
  });
});
