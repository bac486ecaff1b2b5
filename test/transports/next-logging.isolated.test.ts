import { AsyncLocalStorage } from 'node:async_hooks';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import winston from 'winston';
import { createPinoStream } from '../../transports/pino/index.ts';
import type { NextLogging, NextLoggingOptions } from '../../transports/web/next/index.ts';
import { LogTransport } from '../../transports/winston/index.ts';
import { type Delivery, startDelivery } from '../helpers/delivery.ts';
import { REALMS } from '../helpers/other-realm.ts';

/** The tasks that Next.js runs after a response. `undefined` outside of a request. */
let tasks: (() => unknown)[] | undefined;

vi.mock('next/server.js', () => ({
  after(task: () => unknown) {
    if (tasks === undefined) throw new Error('`after` was called outside a request scope.');
    tasks.push(task);
  },
  NextResponse: {
    next: ({ request }: { request: { headers: Headers } }) =>
      new Response(null, {
        headers: { 'x-middleware-next': '1', 'x-forwarded-id': request.headers.get('x-request-id') ?? '' },
      }),
  },
}));

const { createLogging } = await import('../../transports/web/next/index.ts');

beforeEach(() => {
  tasks = [];
});

afterEach(() => {
  vi.unstubAllEnvs();
});

async function open(more: NextLoggingOptions = {}): Promise<Delivery & NextLogging> {
  const delivery = await startDelivery();
  const logging = createLogging({ ...delivery.options, flushIntervalMs: 3_600_000, ...more });
  onTestFinished(async () => void (await logging.log.flush()));
  return { ...delivery, ...logging };
}

async function respond(): Promise<void> {
  await Promise.all((tasks ?? []).map((task) => task()));
}

/** Attributes of the records that arrive after the response. */
async function arriving({ sink }: Delivery): Promise<Record<string, unknown>[]> {
  await respond();
  return sink.events.map(({ attributes }) => attributes);
}

describe('log', () => {
  it('sends records after the response', async () => {
    const app = await open();
    app.log.info('order placed', { order: { id: 'o-1' } });
    expect(app.sink.events).toEqual([]);
    expect(await arriving(app)).toEqual([{ level: 'info', message: 'order placed', order: { id: 'o-1' } }]);
  });

  it('accepts an error instead of fields, adds fields of children, and has a minimum level', async () => {
    const app = await open({ level: 'warn' });
    const child = app.log.child({ cart: 'c-1' }).child({ user: 'u-1' });
    child.info('ignored');
    child.error('payment failed', new Error('card declined'));
    expect(await arriving(app)).toMatchObject([
      {
        level: 'error',
        message: 'payment failed',
        cart: 'c-1',
        user: 'u-1',
        error: { message: 'card declined' },
      },
    ]);
  });

  it('accepts an error instead of a message, and values that have no fields', async () => {
    const app = await open();
    app.log.error(new TypeError('no stock'), { cart: 'c-1' });
    app.log.error('failed', 'reason');
    app.log.error('failed', ['a']);
    expect(await arriving(app)).toMatchObject([
      { message: 'no stock', cart: 'c-1', error: { name: 'TypeError', stack: expect.any(String) } },
      { message: 'failed', value: 'reason' },
      { message: 'failed', value: ['a'] },
    ]);
  });

  it('never throws if fields throw, and keeps its level and message', async () => {
    const app = await open();
    const hostile = {
      level: 'x',
      message: 'y',
      get broken() {
        throw new Error('no');
      },
    };
    app.log.warn('kept', hostile);
    app.log.warn('kept', null);
    const refuse = () => {
      throw new Error('no');
    };
    app.log.warn('kept', new Proxy({}, { has: refuse, getPrototypeOf: refuse }));
    expect(await arriving(app)).toMatchObject([
      { level: 'warn', message: 'kept' },
      { level: 'warn', message: 'kept' },
      { level: 'warn', message: 'kept' },
    ]);
  });

  it("passes work to the platform's waitUntil outside of a request", async () => {
    const app = await open();
    tasks = undefined;
    const work: Promise<unknown>[] = [];
    const name = Symbol.for('@next/request-context');
    Object.assign(globalThis, {
      [name]: { get: () => ({ waitUntil: (one: Promise<unknown>) => work.push(one) }) },
    });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, name));
    app.log.info('late');
    await Promise.all(work);
    expect(app.sink.events).toHaveLength(1);
  });

  it('needs no waitUntil of the platform outside of a request', async () => {
    const app = await open();
    tasks = undefined;
    const name = Symbol.for('@next/request-context');
    Object.assign(globalThis, { [name]: { get: () => ({}) } });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, name));
    expect(() => app.log.info('late')).not.toThrow();
    await app.log.flush();
    expect(app.sink.events).toHaveLength(1);
  });

  it('prints records during next build without any service settings', () => {
    vi.stubEnv('NEXT_PHASE', 'phase-production-build');
    const print = vi.spyOn(console, 'info').mockImplementation(() => {});
    onTestFinished(() => print.mockRestore());
    const { log, register } = createLogging();
    register();
    log.info('rendered', { page: '/' });
    log.info('plain');
    expect(print.mock.calls).toEqual([['rendered', { page: '/' }], ['plain']]);
  });

  it('prints records during next dev without any service settings, and goes on', async () => {
    vi.stubEnv('NODE_ENV', 'development');
    for (const name of ['LOGSCALE_INGEST_TOKEN', 'LOGSCALE_TOKEN', 'HUMIO_TOKEN', 'LOGSCALE_URL'])
      vi.stubEnv(name, undefined);
    const print = vi.spyOn(console, 'info').mockImplementation(() => {});
    onTestFinished(() => print.mockRestore());
    const { log, register } = createLogging({ tags: { service: 'orders' } });
    register();
    log.info('first');
    await respond();
    log.info('second');
    expect(print.mock.calls).toEqual([['first'], ['second']]);
  });

  it('prints and sends records during next dev', async () => {
    vi.stubEnv('NODE_ENV', 'development');
    const print = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => print.mockRestore());
    const app = await open();
    app.log.warn('stock is low');
    expect(print.mock.calls).toEqual([['stock is low']]);
    expect(await arriving(app)).toHaveLength(1);
  });
});

describe('withLogging', () => {
  it("logs the request without its query string, and adds the request ID to the handler's records", async () => {
    const app = await open();
    const handler = app.withLogging(async (request: Request) => {
      await new Promise(setImmediate);
      app.log.info('inside');
      return new Response(request.method, { status: 201 });
    });
    const request = new Request('http://app/orders?token=s3cr3t', {
      method: 'PUT',
      headers: { 'x-request-id': 'r-1' },
    });
    expect(await (await handler(request)).text()).toBe('PUT');
    expect(await arriving(app)).toEqual([
      { level: 'info', message: 'inside', requestId: 'r-1' },
      {
        level: 'info',
        message: 'request handled',
        requestId: 'r-1',
        http: { method: 'PUT', path: '/orders', status: 201 },
        durationMs: expect.any(Number),
      },
    ]);
  });

  it.each([
    [new Error('no stock'), 500, 'error'],
    ['a string', 500, 'error'],
    [null, 500, 'error'],
    [{ digest: 'NEXT_REDIRECT;replace;/a;b?c=1;307;' }, 307, 'info'],
    [{ digest: 'NEXT_HTTP_ERROR_FALLBACK;404' }, 404, 'warn'],
  ])('rethrows %s and logs the status %i', async (thrown, status, level) => {
    const app = await open();
    const handler = app.withLogging(() => {
      throw thrown;
    });
    await expect(handler(new Request('http://app/'))).rejects.toBe(thrown);
    expect(await arriving(app)).toMatchObject([
      { level, http: { status }, requestId: expect.stringMatching(/^[\da-f-]{36}$/) },
    ]);
  });

  it('keeps the fields of concurrent requests separate', async () => {
    const app = await open();
    const handler = app.withLogging(async (request: Request) => {
      await new Promise((resolve) => setTimeout(resolve, request.url.endsWith('slow') ? 20 : 1));
      app.log.info(request.url);
      return new Response();
    });
    const call = (id: string) =>
      handler(new Request(`http://app/${id}`, { headers: { 'x-request-id': id } }));
    await Promise.all([call('slow'), call('fast')]);
    const own = (await arriving(app)).filter(({ message }) => String(message).startsWith('http'));
    expect(own.sort((a, b) => String(a.message).localeCompare(String(b.message)))).toMatchObject([
      { message: 'http://app/fast', requestId: 'fast' },
      { message: 'http://app/slow', requestId: 'slow' },
    ]);
  });
});

describe('withProxyLogging', () => {
  it.each([
    { name: 'no proxy', proxy: undefined },
    { name: 'a proxy that returns nothing', proxy: () => {} },
  ])('continues with a new request ID and logs it for $name', async ({ proxy }) => {
    const app = await open();
    const response = await app.withProxyLogging(proxy)(new Request('http://app/page'));
    const id = response.headers.get('x-forwarded-id');
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(await arriving(app)).toEqual([
      { level: 'info', message: 'request received', requestId: id, http: { method: 'GET', path: '/page' } },
    ]);
  });

  it('replaces a request ID of more than 200 characters', async () => {
    const app = await open();
    const request = (length: number) =>
      new Request('http://app/page', { headers: { 'x-request-id': 'x'.repeat(length) } });
    const response = await app.withProxyLogging()(request(201));
    expect(response.headers.get('x-forwarded-id')).toMatch(/^[\da-f-]{36}$/);
    await app.withLogging(() => new Response())(request(201));
    await app.withLogging(() => new Response())(request(200));
    const lengths = (await arriving(app)).map(({ requestId }) => String(requestId).length);
    expect(lengths).toEqual([36, 36, 200]);
  });

  it('returns the response of a proxy, passes it the request ID, and logs the status', async () => {
    const app = await open();
    const proxy = app.withProxyLogging(
      (request) => new Response(request.headers.get('x-request-id'), { status: 401 }),
    );
    const response = await proxy(new Request('http://app/page', { headers: { 'x-request-id': 'r-1' } }));
    expect([response.status, await response.text()]).toEqual([401, 'r-1']);
    expect(await arriving(app)).toMatchObject([{ level: 'warn', requestId: 'r-1', http: { status: 401 } }]);
  });
});

describe('onRequestError', () => {
  const request = { path: '/orders?token=s3cr3t', method: 'POST', headers: { 'x-request-id': 'r-1' } };
  const context = {
    routerKind: 'App Router',
    routePath: '/orders',
    routeType: 'route',
    revalidateReason: undefined,
  };

  it('logs the error with its request and route', async () => {
    const app = await open();
    app.onRequestError(Object.assign(new Error('no stock'), { digest: '42' }), request, context);
    expect(await arriving(app)).toMatchObject([
      {
        level: 'error',
        message: 'no stock',
        error: { name: 'Error', message: 'no stock', stack: expect.any(String), digest: '42' },
        requestId: 'r-1',
        http: { method: 'POST', path: '/orders' },
        routerKind: 'App Router',
        routePath: '/orders',
        routeType: 'route',
      },
    ]);
  });

  it('leaves out a request ID of more than 200 characters', async () => {
    const app = await open();
    app.onRequestError(new Error('x'), { ...request, headers: { 'x-request-id': 'x'.repeat(201) } }, context);
    expect((await arriving(app))[0]).not.toHaveProperty('requestId');
  });

  it.each([
    [undefined, 'undefined'],
    [new TypeError(), 'TypeError'],
    [Object.create(null), 'unprintable'],
    [null, 'null'],
    ['a string', 'a string'],
  ])('logs %s that a route throws', async (thrown, message) => {
    const app = await open();
    app.onRequestError(thrown, request, context);
    expect(await arriving(app)).toMatchObject([{ level: 'error', message }]);
  });
});

describe('register', () => {
  it('throws if the options are incomplete', () => {
    for (const name of ['LOGSCALE_INGEST_TOKEN', 'LOGSCALE_TOKEN', 'HUMIO_TOKEN'])
      vi.stubEnv(name, undefined);
    const { register } = createLogging({ baseUrl: 'http://127.0.0.1:1' });
    expect(register).toThrow('createLogging needs a token. Pass "ingestToken"');
  });

  it('detaches later records from the context of their request', async () => {
    const contexts: unknown[] = [];
    const request = new AsyncLocalStorage();
    const app = createLogging({
      logger: () => ({
        transports: [],
        log: () => void contexts.push(request.getStore()),
      }),
    });
    app.register();
    request.run('request', () => app.log.info('outside'));
    expect(contexts).toEqual([undefined]);
  });
});

describe('The logger option', () => {
  it.each(REALMS)(
    'writes to a pino logger, with errors of %s in err, and flushes it after the response',
    async (_, errors) => {
      const { options, sink } = await startDelivery();
      const stream = createPinoStream({ ...options, flushIntervalMs: 3_600_000 });
      onTestFinished(() => void stream.end());
      const { log } = createLogging({ logger: () => pino({ level: 'debug', base: null }, stream) });
      log.child({ cart: 'c-1' }).debug('failed', new errors.Error('no stock'));
      log.info('other', { error: 'a string' });
      await respond();
      expect(sink.events.map(({ attributes }) => attributes)).toMatchObject([
        { level: 'debug', msg: 'failed', cart: 'c-1', err: { message: 'no stock' } },
        { level: 'info', msg: 'other', error: 'a string' },
      ]);
    },
  );

  it('writes to a winston logger and flushes it after the response', async () => {
    const { options, sink } = await startDelivery();
    const transport = new LogTransport({ ...options, worker: false, flushIntervalMs: 3_600_000 });
    const logger = winston.createLogger({
      transports: [transport, new winston.transports.Console({ silent: true })],
    });
    onTestFinished(() => void logger.end());
    const { log } = createLogging({ logger: () => logger });
    log.warn('failed', { cart: 'c-1', error: new Error('no stock') });
    await respond();
    expect(sink.events.map(({ attributes }) => attributes)).toMatchObject([
      { level: 'warn', message: 'failed', cart: 'c-1', error: { message: 'no stock' } },
    ]);
  });

  it('is called once, at the first record', () => {
    const logger = vi.fn(() => ({ transports: [], log: () => {} }));
    const { log } = createLogging({ logger });
    expect(logger).not.toHaveBeenCalled();
    log.info('a');
    log.info('b');
    expect(logger).toHaveBeenCalledTimes(1);
  });

  it.each([
    [{ logger: pino() }, '"logger" must be a function that returns the logger'],
    [{ logger: () => console }, '"logger" must return a logger of pino or winston'],
    [{ logger: () => undefined }, '"logger" must return a logger of pino or winston'],
    [{ logger: () => pino(), tags: { service: 'shop' } }, '"logger" and "tags" can\'t be combined'],
    [{ level: 'trace' }, '"level" must be'],
    [{ tag: {} }, 'createLogging has no option "tag". Did you mean "tags"?'],
  ])('rejects the options %j', (options, message) => {
    expect(() => createLogging(options as NextLoggingOptions).register()).toThrow(message);
  });
});
