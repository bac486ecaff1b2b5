import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import winston from 'winston';
import { LogClient, lql } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { LogTransport, type LogTransportOptions, type RecordQuery } from '../../transports/winston/index.ts';
import { nestFields, winstonRecord } from '../../transports/winston/winston-record.ts';
import { eventually } from '../helpers/eventually.ts';
import { startProxy } from '../helpers/http-proxy.ts';

let server: LocalServer;
let client: LogClient;
const transports: LogTransport[] = [];

beforeAll(async () => {
  server = await startLocalServer({ allowedHosts: ['logscale.test'] });
  const { url: baseUrl, repository, userToken } = server;
  client = new LogClient({ baseUrl, repository, userToken });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const transport of transports.splice(0)) {
    transport.close();
    await transport.flush();
  }
});

afterAll(() => server.close());

/** Sets the time of a record, as `format.timestamp()` does, to its field `at`. */
const dated = winston.format(({ at, ...info }) => (at === undefined ? info : { ...info, timestamp: at }));

/** A logger and a transport with a unique tag. */
function open(options: LogTransportOptions = {}): { logger: winston.Logger; transport: LogTransport } {
  const { url: baseUrl, repository, userToken, ingestToken } = server;
  const tags = { service: `app-${Math.random()}*"` };
  const credentials = { ingestToken, userToken, repository };
  const transport = new LogTransport({ baseUrl, ...credentials, tags, worker: false, ...options });
  transports.push(transport);
  return { logger: winston.createLogger({ format: dated(), transports: [transport] }), transport };
}

/** The result of `logger.query()`. */
function query(logger: winston.Logger, options: RecordQuery = {}): Promise<Record<string, unknown>> {
  const wanted = options as winston.QueryOptions;
  return new Promise((resolve, reject) =>
    logger.query(wanted, (error, results) => (error ? reject(error) : resolve(results))),
  );
}

async function records(
  logger: winston.Logger,
  options: RecordQuery = {},
): Promise<Record<string, unknown>[]> {
  const { logclient } = await query(logger, options);
  if (!Array.isArray(logclient)) throw logclient;
  return logclient;
}

const messages = async (logger: winston.Logger, options: RecordQuery): Promise<unknown[]> =>
  (await records(logger, options)).map(({ message }) => message);

it("logger.query() uses the transport's proxy option", async () => {
  const proxy = await startProxy({ port: Number(new URL(server.url).port) });
  const options = { baseUrl: 'http://logscale.test', proxy: proxy.url };
  const { logger, transport } = open(options);
  logger.info('through a proxy');
  await transport.flush();
  await eventually(async () => expect(await messages(logger, {})).toEqual(['through a proxy']));
  expect(proxy.requests.join()).toMatch(/queryjobs/);
  const { logger: other } = open({ ...options, worker: true });
  expect(await messages(other, {})).toEqual([]);
});

it('logger.query() reads records sent to an event collector with a winston format or format hec', async () => {
  vi.stubEnv('LOGSCALE_URL', server.url);
  vi.stubEnv('LOGSCALE_FORMAT', 'hec');
  const upper = winston.format((info) => ({ ...info, message: String(info.message).toUpperCase() }))();
  const collector = { baseUrl: undefined, ingestUrl: `${server.url}/services/collector` };
  const { logger, transport } = open({ ...collector, format: upper });
  const { logger: other, transport: otherTransport } = open({ ...collector, format: 'hec' });
  logger.info('to a collector', { n: 1 });
  other.info('to a collector');
  await Promise.all([transport.flush(), otherTransport.flush()]);
  await eventually(async () => {
    expect(await records(logger)).toEqual([expect.objectContaining({ message: 'TO A COLLECTOR', n: 1 })]);
    expect(await messages(other, {})).toEqual(['to a collector']);
  });
});

describe('logger.query()', () => {
  it('returns records as they were logged, and none of other loggers', async () => {
    const { logger } = open();
    const other = open();
    other.logger.info('not mine');
    await other.transport.flush();
    logger.info('order placed', { cart: { items: [{ id: 'a*' }], total: 41.9 }, paid: true, note: null });
    expect(await records(logger)).toEqual([
      {
        level: 'info',
        message: 'order placed',
        cart: { items: [{ id: 'a*' }], total: 41.9 },
        paid: true,
        note: null,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    ]);
  });

  it('keeps the timestamp that the logger set', async () => {
    const { logger } = open();
    const timestamp = new Date(Date.now() - 60_000).toISOString();
    logger.info('a minute ago', { at: timestamp });
    expect(await records(logger)).toEqual([{ level: 'info', message: 'a minute ago', timestamp }]);
  });

  it("supports winston's query options", async () => {
    const { logger } = open();
    const noon = Date.now() - 3_600_000;
    const at = (n: number): string => new Date(noon + n * 1_000).toISOString();
    for (let n = 0; n < 12; n++) logger.log(n % 2 ? 'warn' : 'info', `r${n}`, { n, at: at(n) });
    expect(await messages(logger, {})).toEqual([
      'r11',
      'r10',
      'r9',
      'r8',
      'r7',
      'r6',
      'r5',
      'r4',
      'r3',
      'r2',
    ]);
    expect(await messages(logger, { limit: 2 })).toEqual(['r11', 'r10']);
    expect(await messages(logger, { rows: 2, start: 1 })).toEqual(['r10', 'r9']);
    expect(await messages(logger, { order: 'asc', limit: 3 })).toEqual(['r0', 'r1', 'r2']);
    expect(await messages(logger, { order: 'asc', limit: 2, start: 2 })).toEqual(['r2', 'r3']);
    expect(await messages(logger, { from: new Date(at(3)), until: new Date(at(5)) })).toEqual([
      'r5',
      'r4',
      'r3',
    ]);
    expect(await messages(logger, { until: new Date(at(1)) })).toEqual(['r1', 'r0']);
    expect(await messages(logger, { from: new Date(at(9)), level: 'warn' })).toEqual(['r11', 'r9']);
    expect(await records(logger, { fields: ['n', 'level'], limit: 1 })).toEqual([{ n: 11, level: 'warn' }]);
  });

  it('returns more than 200 records if requested', async () => {
    const { logger } = open();
    const start = Date.now() - 10_000;
    for (let n = 0; n < 450; n++) logger.info(`r${n}`, { at: new Date(start + n).toISOString() });
    const newest = await messages(logger, { limit: 420 });
    expect([newest.length, newest[0], newest.at(-1)]).toEqual([420, 'r449', 'r30']);
    const oldest = await messages(logger, { limit: 420, order: 'asc' });
    expect([oldest.length, oldest[0], oldest.at(-1)]).toEqual([420, 'r0', 'r419']);
  });

  it('accepts a callback without options', async () => {
    const { logger, transport } = open();
    logger.info('hello');
    const found = await new Promise((resolve) => transport.query((_, all) => resolve(all)));
    expect(found).toMatchObject([{ message: 'hello' }]);
  });

  it('uses the token and repository in the environment', async () => {
    vi.stubEnv('LOGSCALE_TOKEN', server.userToken);
    vi.stubEnv('LOGSCALE_REPOSITORY', server.repository);
    const { logger } = open({ userToken: undefined, repository: undefined });
    logger.info('hello');
    expect(await messages(logger, {})).toEqual(['hello']);
  });

  it.each<[string, LogTransportOptions, RecordQuery, RegExp]>([
    [
      'no user token',
      { userToken: undefined },
      {},
      /needs a "userToken".*LOGSCALE_TOKEN.*ingest token can only write/,
    ],
    ['no repository', { repository: undefined }, {}, /needs a "repository".*LOGSCALE_REPOSITORY/],
    ['a wrong order', {}, { order: 'down' as 'asc' }, /LogTransport.query: "order" must be one of asc, desc/],
    ['an invalid date', {}, { from: 'soon' }, /"from" must be a Date \(got "soon"\)/],
    ['a date that is neither', {}, { from: true as never }, /"from" must be a Date \(got true\)/],
    ['from after until', {}, { from: 2, until: 1 }, /"from" is after "until"/],
    ['fields as text', {}, { fields: 'level' as never }, /"fields" must be an array/],
  ])('returns an error for %s as the result of this transport', async (_, options, wanted, message) => {
    const { logger } = open(options);
    const { logclient } = await query(logger, wanted);
    expect(logclient).toMatchObject({ name: 'LogOptionsException', message: expect.stringMatching(message) });
  });

  it("returns the service's error without the token", async () => {
    const { logger } = open({ userToken: 'wrong-token' });
    const { logclient } = await query(logger);
    expect(logclient).toMatchObject({ name: 'LogHTTPException', statusCode: 401 });
    expect(String(logclient)).not.toContain('wrong-token');
  });
});

describe('logger.stream()', () => {
  it('emits new records until it is destroyed, and leaves no query job or live stream', async () => {
    const { logger, transport } = open();
    logger.info('before');
    await transport.flush();
    // Record times have a precision of 1 ms.
    await eventually(async () => expect((await records(logger)).length).toBe(1));
    const stream = logger.stream({ start: -1 });
    const seen: unknown[] = [];
    stream.on('log', (record) => seen.push(record));
    logger.warn('after', { n: { m: 1 } });
    await eventually(() => expect(seen).toHaveLength(1));
    expect(seen).toMatchObject([{ level: 'warn', message: 'after', n: { m: 1 }, transport: ['logclient'] }]);
    (stream as unknown as { destroy(): void }).destroy();
    await eventually(() =>
      expect([server.inspect.store().liveStreams, server.inspect.jobs()]).toEqual([0, []]),
    );
  });

  it('emits past records with the from option, and skips the first N with start: N', async () => {
    const { logger, transport } = open();
    const at = (n: number): string => new Date(Date.now() - 60_000 + n).toISOString();
    for (let n = 0; n < 4; n++) logger.info(`r${n}`, { at: at(n * 10_000) });
    await transport.flush();
    const stream = transport.stream({ start: 1, from: new Date(at(5_000)) });
    const seen: unknown[] = [];
    stream.on('log', ({ message }) => seen.push(message));
    await eventually(() => expect(seen).toEqual(['r2', 'r3']));
    stream.destroy();
    await once(stream, 'close');
  });

  it('emits an error and ends if there is no token', async () => {
    const { logger } = open({ userToken: undefined });
    const [error] = await once(logger.stream(), 'error');
    expect(error.message).toMatch(/needs a "userToken"/);
    expect(error.transport).toEqual(['logclient']);
  });
});

describe('The built package', () => {
  const require = createRequire(import.meta.url);
  const queryCode = (): string[] =>
    Object.keys(require.cache).filter((file) => /^var LogClient = class/m.test(readFileSync(file, 'utf8')));

  it('loads query code only when records are read', async () => {
    const built: typeof import('../../transports/winston/index.ts') = require('logclient/winston');
    const { url: baseUrl, repository, userToken, ingestToken } = server;
    const tags = { service: 'built' };
    const transport = new built.LogTransport({ baseUrl, repository, userToken, ingestToken, tags });
    const logger = winston.createLogger({ transports: [transport] });
    logger.info('through a worker');
    await transport.flush();
    expect(queryCode()).toEqual([]);
    expect(await messages(logger, {})).toEqual(['through a worker']);
    expect(queryCode()).toHaveLength(1);
    logger.end();
    await once(transport, 'close');
  });
});

describe('A record from logger.query()', () => {
  const at = { '@timestamp': 1_772_323_200_000, '@id': 'x', '#service': 'a' };

  it('is rebuilt as nested objects from its fields if @rawstring is not JSON', () => {
    const event = {
      ...at,
      '@rawstring': 'text',
      level: 'info',
      message: 'm',
      'a.b[0].c': '1',
      'a.b[1].c': '2',
    };
    expect(winstonRecord(event)).toEqual({
      level: 'info',
      message: 'm',
      a: { b: [{ c: '1' }, { c: '2' }] },
      timestamp: '2026-03-01T00:00:00.000Z',
    });
  });

  it('keeps fields whose names cannot be nested, and sets no prototype', () => {
    expect(nestFields({ a: '1', 'a.b': '2', 'c.d': '3', c: '4', 'e..f': '5', '__proto__.x': '6' })).toEqual({
      a: '1',
      'a.b': '2',
      c: '4',
      'c.d': '3',
      'e..f': '5',
      '__proto__.x': '6',
    });
    expect(({} as { x?: string }).x).toBeUndefined();
  });

  it('is also found by client.query()', async () => {
    const { logger, transport } = open({ tags: { service: 'by-client' } });
    logger.info('hello');
    await transport.flush();
    expect(await client.query(lql`#service=${'by-client'}`)).toHaveLength(1);
  });
});
