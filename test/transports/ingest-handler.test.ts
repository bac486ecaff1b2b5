import { once } from 'node:events';
import { Agent, type ClientRequest, createServer, request as httpRequest } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Ingester } from '../../src/ingest/ingester.ts';
import {
  createIngestHandler,
  type IngestHandler,
  type IngestHandlerOptions,
  toNodeHandler,
} from '../../transports/web/ingest-handler/index.ts';
import { RateLimit } from '../../transports/web/ingest-handler/rate-limit.ts';
import { turnsOfTheLoop } from '../helpers/hand-clock.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { cases } from '../helpers/laws.ts';

const TOKEN = 'secret-token';
const ORIGIN = 'https://shop.example';

async function openSink(): Promise<IngestSink> {
  const sink = await IngestSink.open();
  onTestFinished(() => sink.close());
  return sink;
}

interface Opened {
  readonly sink: IngestSink;
  readonly handler: IngestHandler;
}

async function open(options: IngestHandlerOptions = {}): Promise<Opened> {
  const sink = await openSink();
  const own = options.ingester ? {} : { baseUrl: sink.url, ingestToken: TOKEN, flushIntervalMs: 5 };
  const handler = createIngestHandler({ ...own, ...options });
  onTestFinished(() => handler.ingester.close());
  return { sink, handler };
}

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' };

interface PostOptions {
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

function post(body: unknown, { headers = SAME_ORIGIN, method = 'POST' }: PostOptions = {}): Request {
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request(`${ORIGIN}/logs`, { method, headers, ...(method === 'POST' && { body: content }) });
}

function record(fields: object = {}, message = 'hello'): object {
  return { timestamp: Date.now(), level: 'info', message, fields };
}

const body = (...records: object[]) => ({ sentAt: Date.now(), records });

async function statusOf(handler: IngestHandler, request: Request): Promise<number> {
  return (await handler(request)).status;
}

/** The handler behind node:http. @returns its URL. */
async function serve(handler: IngestHandler): Promise<string> {
  const server = createServer(toNodeHandler(handler));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('Records from browsers', () => {
  it('arrive with the tag source, level, message, fields and user agent', async () => {
    const { sink, handler } = await open({ tags: { service: 'shop' } });
    const request = post(body(record({ cart: { items: 3 } })), {
      headers: { ...SAME_ORIGIN, 'user-agent': 'Chrome' },
    });
    const response = await handler(request);
    expect([response.status, await response.text()]).toEqual([204, '']);
    await handler.ingester.flush();
    expect(sink.requests[0]!.groups[0]!.tags).toEqual({ service: 'shop', source: 'browser' });
    expect(sink.events.map(({ attributes }) => attributes)).toEqual([
      { cart: { items: 3 }, userAgent: 'Chrome', level: 'info', message: 'hello' },
    ]);
    expect(handler.stats).toMatchObject({ requests: 1, records: 1, removedFields: 0 });
  });

  it('can be sent through an existing ingester', async () => {
    const sink = await openSink();
    const ingester = new Ingester({ baseUrl: sink.url, ingestToken: TOKEN });
    const { handler } = await open({ ingester });
    expect(handler.ingester).toBe(ingester);
    expect(await statusOf(handler, post(body(record())))).toBe(204);
    await ingester.close();
    expect(sink.events).toHaveLength(1);
  });

  it('cannot forge tags, the level, the message or the user agent', async () => {
    const { sink, handler } = await open({ tags: { service: 'shop' } });
    const forged = {
      '#source': 'server',
      '#service': 'x',
      '@timestamp': 1,
      level: 'error',
      message: 'x',
      userAgent: 'x',
    };
    const headers = { ...SAME_ORIGIN, 'user-agent': 'Chrome' };
    const own = {
      ...record({ ...forged, ok: 1 }),
      tags: { source: 'server' },
      rawstring: 'x',
      timezone: 'x',
    };
    expect(await statusOf(handler, post(body(own), { headers }))).toBe(204);
    await handler.ingester.flush();
    expect(sink.requests[0]!.groups[0]!.tags).toEqual({ service: 'shop', source: 'browser' });
    expect(sink.events[0]).toEqual({
      timestamp: expect.any(Number),
      attributes: { ok: 1, userAgent: 'Chrome', level: 'info', message: 'hello' },
    });
    expect(handler.stats.removedFields).toBe(3);
  });

  it.each([
    ['a clock that is a year ahead', 365 * 86_400_000, 60_000, 60_000],
    ['a clock that is a year behind', -365 * 86_400_000, 60_000, 60_000],
    ['a record from the future', 0, -86_400_000, 0],
    ['a record that is a year old', 0, 365 * 86_400_000, 86_400_000],
  ])('get a timestamp within the last 24 hours: %s', async (_, skewMs, ageMs, expectedAgeMs) => {
    const { sink, handler } = await open();
    const sentAt = Date.now() + skewMs;
    const before = Date.now();
    const sent = { sentAt, records: [{ ...record(), timestamp: sentAt - ageMs }] };
    expect(await statusOf(handler, post(sent))).toBe(204);
    const after = Date.now();
    await handler.ingester.flush();
    const timestamp = sink.events[0]!.timestamp as number;
    expect(timestamp).toBeGreaterThanOrEqual(before - expectedAgeMs);
    expect(timestamp).toBeLessThanOrEqual(after - expectedAgeMs);
  });

  it('lost in the browser are reported in a record with their count', async () => {
    const { sink, handler } = await open();
    expect(await statusOf(handler, post({ lost: 12, records: [] }))).toBe(204);
    await handler.ingester.flush();
    expect(sink.events[0]!.attributes).toEqual({
      level: 'warn',
      message: 'Records lost in the browser: 12',
      lostRecords: 12,
    });
  });

  it('lost in the browser count as at most 100,000 per request', async () => {
    const { sink, handler } = await open();
    expect(await statusOf(handler, post({ lost: Number.MAX_SAFE_INTEGER, records: [] }))).toBe(204);
    await handler.ingester.flush();
    expect(sink.events[0]!.attributes.lostRecords).toBe(100_000);
  });

  it('lose fields that are not in allowedFields, and values that are nested too deeply', async () => {
    const { sink, handler } = await open({ allowedFields: ['url', 'deep', '#x'] });
    const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`);
    const fields = { url: '/', password: 'x', deep, '#x': 1, ['n'.repeat(101)]: 1 };
    expect(await statusOf(handler, post(body(record(fields))))).toBe(204);
    await handler.ingester.flush();
    const { attributes } = sink.events[0]!;
    expect(Object.keys(attributes)).toEqual(['url', 'deep', 'level', 'message']);
    expect(JSON.stringify(attributes.deep)).toBe(`${'{"a":'.repeat(7)}"[Cut]"${'}'.repeat(7)}`);
    expect(handler.stats.removedFields).toBe(4);
  });
});

describe('The origin check', () => {
  const ALLOWED = 'https://app.example';

  it.each<[string, number, Record<string, string>]>([
    ['of the same origin', 204, { 'sec-fetch-site': 'same-origin' }],
    ['of the same origin without a referrer', 204, { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['of the same host, in a browser without Sec-Fetch-Site', 204, { origin: ORIGIN }],
    ['of an allowed origin', 204, { origin: ALLOWED, 'sec-fetch-site': 'cross-site' }],
    ['of another origin', 403, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['of another subdomain', 403, { origin: 'https://evil.shop.example', 'sec-fetch-site': 'same-site' }],
    ['of another origin, in an old browser', 403, { origin: 'https://evil.example' }],
    ['of another origin that forges the host', 403, { origin: ORIGIN, 'sec-fetch-site': 'cross-site' }],
    ['without an origin', 403, { origin: 'null' }],
    ['whose origin starts with an allowed one', 403, { origin: `${ALLOWED}.evil.example` }],
    ['of no browser', 403, {}],
  ])('responds to a page %s with status %i', async (_, status, headers) => {
    const { handler } = await open({ allowedOrigins: [ALLOWED] });
    const request = post(body(record()), { headers: { ...headers, 'content-type': 'text/plain' } });
    expect(await statusOf(handler, request)).toBe(status);
    expect(handler.stats.rejected.origin).toBe(status === 403 ? 1 : 0);
    expect(handler.stats.records).toBe(status === 403 ? 0 : 1);
  });

  it('sends CORS headers only to allowed origins', async () => {
    const { handler } = await open({ allowedOrigins: [ALLOWED] });
    const preflight = async (origin: string) =>
      handler(post('', { method: 'OPTIONS', headers: { origin, 'sec-fetch-site': 'cross-site' } }));
    const allowed = await preflight(ALLOWED);
    expect(allowed.status).toBe(204);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      'access-control-allow-origin': ALLOWED,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
      vary: 'origin',
    });
    const evil = await preflight('https://evil.example');
    expect(evil.status).toBe(403);
    expect(evil.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('Request validation', () => {
  const valid = { timestamp: 1, level: 'info', message: 'x' };

  it.each<[string, unknown, number, string]>([
    ['not JSON', '{', 400, 'The body is not JSON.'],
    ['an array', [], 400, 'The body must be an object with an array "records".'],
    ['null', 'null', 400, 'The body must be an object with an array "records".'],
    ['records that are null', { records: [null] }, 400, 'records[0] must be an object.'],
    [
      'an unknown level',
      { records: [{ ...valid, level: 'fatal' }] },
      400,
      'records[0].level must be one of debug, info, warn, error.',
    ],
    [
      'a level of the prototype',
      { records: [{ ...valid, level: '__proto__' }] },
      400,
      'records[0].level must be one of debug, info, warn, error.',
    ],
    [
      'a message that is a number',
      { records: [valid, { ...valid, message: 1 }] },
      400,
      'records[1].message must be a string.',
    ],
    [
      'fields that are an array',
      { records: [{ ...valid, fields: [] }] },
      400,
      'records[0].fields must be an object.',
    ],
    [
      'a timestamp that is text',
      { records: [{ ...valid, timestamp: '1' }] },
      400,
      'records[0].timestamp must be epoch milliseconds.',
    ],
    ['a number of lost records below 0', { lost: -1, records: [] }, 400, '"lost" must be a whole number.'],
    ['a negative time', { sentAt: -1, records: [] }, 400, '"sentAt" must be epoch milliseconds.'],
    [
      'an infinite time',
      '{"sentAt":1e999,"records":[{"timestamp":1e999,"level":"info","message":"x"}]}',
      400,
      '"sentAt" must be epoch milliseconds.',
    ],
    [
      'a large body',
      { records: [{ ...valid, message: 'x'.repeat(2_000) }] },
      413,
      'The body is larger than 1000 bytes.',
    ],
  ])('rejects with a status and a reason: %s', async (_, content, status, error) => {
    const { handler } = await open({ maxBodyBytes: 1_000 });
    const response = await handler(post(content));
    const reason = status === 413 ? 'tooLarge' : 'invalid';
    expect([response.status, await response.json()]).toEqual([status, { error, reason }]);
    expect(handler.stats.rejected[reason]).toBe(1);
    expect(handler.stats.records).toBe(0);
  });

  it('rejects other methods with status 405 and other content types with 415', async () => {
    const { handler } = await open();
    const get = await handler(post('', { method: 'GET' }));
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(await statusOf(handler, post('', { method: 'GET', headers: {} }))).toBe(405);
    const form = { ...SAME_ORIGIN, 'content-type': 'multipart/form-data' };
    const sent = await handler(post(body(record()), { headers: form }));
    expect([sent.status, sent.headers.get('allow')]).toEqual([415, null]);
  });

  it('accepts a large body with deeply nested JSON, and removes the nested field', async () => {
    const { handler } = await open();
    const nested = `{"records":[{"timestamp":1,"level":"info","message":"x","fields":{"a":${'['.repeat(32_000)}${']'.repeat(32_000)}}}]}`;
    expect(await statusOf(handler, post(nested))).toBe(204);
    expect(handler.stats.removedFields).toBe(1);
  });
});

describe('Rate limits', () => {
  it('for one client do not affect others, and set Retry-After', async () => {
    const { handler } = await open({ maxRequestsPerMinute: 2, maxTotalRequestsPerMinute: 100 });
    const send = (address: string) => handler.handle(post(body(record())), address);
    const statuses: number[] = [];
    for (let index = 0; index < 200; index++) statuses.push((await send('10.0.0.1')).status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(2);
    const rejected = await send('10.0.0.1');
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(20);
    expect((await send('10.0.0.2')).status).toBe(204);
    expect(handler.stats.rejected.rateLimit).toBe(199);
  });

  it('allow a burst of exactly the maximum number of requests', () => {
    const anyTime = fc.double({ min: 0, max: 1e10, noNaN: true });
    fc.assert(
      fc.property(anyTime, fc.integer({ min: 1, max: 500 }), (nowMs, perMinute) => {
        const limit = new RateLimit(perMinute);
        for (let count = 0; count < perMinute; count++) expect(limit.take('key', nowMs)).toBe(0);
        expect(limit.take('key', nowMs)).toBeGreaterThan(0);
      }),
      cases(),
    );
  });

  it('treat an IPv6 network, and IPv4 addresses mapped to IPv6, as one client', async () => {
    const { handler } = await open({ maxRequestsPerMinute: 1 });
    const send = async (address: string) => (await handler.handle(post(body(record())), address)).status;
    expect(await send('2001:db8:1:2::1')).toBe(204);
    expect(await send('2001:db8:1:2:ffff:1:2:3')).toBe(429);
    expect(await send('2001:0db8:0001:0002::')).toBe(429);
    expect(await send('2001:db8:1:3::1')).toBe(204);
    expect(await send('::1')).toBe(204);
    expect(await send('10.0.0.1')).toBe(204);
    expect(await send('::ffff:10.0.0.1')).toBe(429);
    // As some proxies write addresses.
    expect(await send('10.0.0.1:50123')).toBe(429);
    expect(await send('[2001:db8:1:2::1]:50123')).toBe(429);
    expect(await send('[2001:db8:1:3::9]')).toBe(429);
    expect(await send('[2001:db8:1:4::9]:443')).toBe(204);
  });

  it('for all clients apply if there is no address', async () => {
    const { handler } = await open({ maxTotalRequestsPerMinute: 3 });
    const statuses: number[] = [];
    for (let index = 0; index < 5; index++) statuses.push(await statusOf(handler, post(body(record()))));
    expect(statuses).toEqual([204, 204, 204, 429, 429]);
  });

  it('use the address that clientAddress returns', async () => {
    const { handler } = await open({
      maxRequestsPerMinute: 1,
      clientAddress: (request) => request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim(),
    });
    const send = async (forwarded: string) => {
      const headers = { ...SAME_ORIGIN, 'x-forwarded-for': forwarded };
      return (await handler.handle(post(body(record()), { headers }), '10.0.0.1')).status;
    };
    expect(await send('1.1.1.1, 9.9.9.9')).toBe(204);
    expect(await send('2.2.2.2, 9.9.9.9')).toBe(429);
    expect(await send('1.1.1.1, 8.8.8.8')).toBe(204);
  });

  it.each([undefined, null, ''])(
    'for one client do not apply if clientAddress returns %j',
    async (address) => {
      const { handler } = await open({ maxRequestsPerMinute: 1, clientAddress: () => address });
      for (let index = 0; index < 2; index++) {
        expect(await statusOf(handler, post(body(record())))).toBe(204);
      }
    },
  );
});

it('RateLimit remembers at most 10,000 clients', () => {
  const limit = new RateLimit(1);
  expect(limit.take('first', 0)).toBe(0);
  for (let index = 0; index < 9_999; index++) limit.take(`client ${index}`, 0);
  expect(limit.take('first', 0)).toBeGreaterThan(0);
  limit.take('one more', 0);
  expect(limit.take('first', 0)).toBe(0);
});

it('a full queue responds with 503 and the number of accepted records, and the rest can be resent', async () => {
  const { sink, handler } = await open({ maxQueueBytes: 6_000, closeTimeoutMs: 100 });
  let release = () => {};
  const released = new Promise<object>((resolve) => {
    release = () => resolve({});
  });
  sink.answer = () => released;
  const records = Array.from({ length: 20 }, (_, index) => record({ index, text: 'x'.repeat(500) }));
  const response = await handler(post(body(...records)));
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  const { accepted } = (await response.json()) as { accepted: number };
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(20);
  expect(await statusOf(handler, post(body(record())))).toBe(503);
  expect(handler.stats).toMatchObject({ records: accepted, rejected: { busy: 2 } });
  release();
  await handler.ingester.flush();
  let sent = accepted;
  const sendRest = async (): Promise<number> => {
    const answer = await handler(post(body(...records.slice(sent))));
    if (answer.status === 503) sent += ((await answer.json()) as { accepted?: number }).accepted ?? 0;
    return answer.status;
  };
  await expect.poll(sendRest).toBe(204);
  const delivered = (): unknown[] => sink.events.map(({ attributes }) => attributes.index);
  await expect.poll(delivered).toEqual([...Array(20).keys()]);
});

it.each(['dropOldest', 'dropNewest'] as const)(
  'a full queue with overflow %s accepts every request, and drops records',
  async (overflow) => {
    const sink = await openSink();
    sink.answer = () => new Promise(() => {});
    const onDrop = vi.fn();
    const options = { maxQueueBytes: 6_000, closeTimeoutMs: 100, overflow, onDrop };
    const ingester = new Ingester({ baseUrl: sink.url, ingestToken: TOKEN, ...options });
    const { handler } = await open({ ingester });
    const records = Array.from({ length: 20 }, () => record({ text: 'x'.repeat(500) }));
    for (let n = 0; n < 3; n++) expect(await statusOf(handler, post(body(...records)))).toBe(204);
    expect(handler.stats).toMatchObject({ records: 60, rejected: { busy: 0 } });
    expect(ingester.stats).toMatchObject({ accepted: 60 });
    expect(ingester.stats.dropped.overflow).toBeGreaterThan(0);
  },
);

it('createIngestHandler() rejects invalid options with an error that names them', () => {
  const create = (options: object) => () => createIngestHandler({ ingestToken: 'x', ...options });
  expect(create({ allowedOrigins: 'https://a.example' })).toThrow(
    '"allowedOrigins" must be an array of strings',
  );
  expect(create({ allowedOrigins: ['https://a.example/'] })).toThrow('without a path or a final slash');
  expect(create({ allowedOrigins: ['*'] })).toThrow('"allowedOrigins" must contain origins');
  expect(create({ allowedFields: 'url' })).toThrow('"allowedFields" must be an array of strings');
  expect(create({ maxBodyBytes: 0 })).toThrow('"maxBodyBytes" must be a whole number of at least 1');
  expect(create({ maxRequestsPerMinute: 0.5 })).toThrow('"maxRequestsPerMinute" must be a whole number');
  expect(create({ clientAddress: 'x-real-ip' })).toThrow('"clientAddress" must be a function');
  expect(create({ alowedOrigins: [] })).toThrow(
    'createIngestHandler has no option "alowedOrigins". Did you mean "allowedOrigins"?',
  );
  expect(create({ ingester: {} })).toThrow('"ingester" and "ingestToken" can\'t be combined');
  expect(() => createIngestHandler({ ingester: {} as Ingester })).toThrow('"ingester" must be an Ingester');
});

it.each<[string, () => unknown, string]>([
  [
    'throws',
    () => {
      throw new Error('no socket');
    },
    'no socket',
  ],
  ['returns a promise', async () => '10.0.0.1', '"clientAddress" must return a string (got'],
])('requests fail with status 500 and one warning if clientAddress %s', async (_, clientAddress, problem) => {
  const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  onTestFinished(() => emitWarning.mockRestore());
  const { handler } = await open({ clientAddress } as IngestHandlerOptions);
  for (let index = 0; index < 2; index++) expect(await statusOf(handler, post(body(record())))).toBe(500);
  expect(emitWarning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(problem));
});

it('a handler that receives several requests of a Cloudflare Worker warns once', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => {
    vi.unstubAllGlobals();
    warn.mockRestore();
  });
  const { handler } = await open();
  expect(await statusOf(handler, post(body(record())))).toBe(204);
  expect(warn).not.toHaveBeenCalled();
  for (let n = 0; n < 3; n++) expect(await statusOf(handler, post(body(record())))).toBe(204);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining('create the handler for each request'),
  );
});

describe('The ingest handler on node:http', () => {
  it('accepts records and reads the address of the connection', async () => {
    const { sink, handler } = await open({ maxRequestsPerMinute: 1 });
    const url = await serve(handler);
    const send = () =>
      fetch(url, {
        method: 'POST',
        headers: { origin: url, 'content-type': 'text/plain' },
        body: JSON.stringify(body(record())),
      });
    expect((await send()).status).toBe(204);
    expect((await send()).status).toBe(429);
    await handler.ingester.flush();
    expect(sink.events).toHaveLength(1);
  });

  it('accepts records of the same origin over HTTP/2, whose requests have no Host header', async () => {
    const { handler } = await open();
    const server = createHttp2Server(
      toNodeHandler(handler) as unknown as Parameters<typeof createHttp2Server>[0],
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const session = connectHttp2(url);
    onTestFinished(() => {
      session.destroy();
      server.close();
    });
    const send = async (origin: string): Promise<unknown> => {
      const stream = session.request({ ':method': 'POST', origin, 'content-type': 'text/plain' });
      stream.end(JSON.stringify(body(record())));
      const [headers] = await once(stream, 'response');
      stream.resume();
      return headers[':status'];
    };
    expect([await send(url), await send('http://evil.example')]).toEqual([204, 403]);
  });

  it('rejects a body without Content-Length that exceeds maxBodyBytes with status 413', async () => {
    const { handler } = await open({ maxBodyBytes: 1_000 });
    const url = await serve(handler);
    const outgoing = httpRequest(url, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'text/plain' },
    });
    for (let index = 0; index < 100; index++) outgoing.write('x'.repeat(10_000));
    outgoing.end();
    const [response] = await once(outgoing, 'response');
    expect(response.statusCode).toBe(413);
    expect(JSON.parse(await text(response))).toEqual({
      error: 'The body is larger than 1000 bytes.',
      reason: 'tooLarge',
    });
  });

  it('keeps the connection usable after a large body without Content-Length', async () => {
    const { handler } = await open({ maxBodyBytes: 1_000 });
    const url = await serve(handler);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const send = async (content: string): Promise<unknown[]> => {
      const headers = { origin: url, 'content-type': 'text/plain', 'transfer-encoding': 'chunked' };
      const outgoing = httpRequest(url, { method: 'POST', headers, agent });
      outgoing.end(content);
      const [response] = await once(outgoing, 'response');
      const { localPort } = response.socket;
      await text(response);
      return [response.statusCode, localPort];
    };
    const [status, port] = await send('x'.repeat(1_000_000));
    expect(status).toBe(413);
    expect(await send(JSON.stringify(body(record())))).toEqual([204, port]);
  });

  it('survives a request that ends in the middle of its body', async () => {
    const { handler } = await open();
    const url = new URL(await serve(handler));
    const socket = connect(Number(url.port), url.hostname);
    socket.end(
      `POST / HTTP/1.1\r\nhost: ${url.host}\r\norigin: ${url.origin}\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\n{"re`,
    );
    await expect.poll(() => handler.stats.rejected.invalid).toBe(1);
  });

  /** A request whose body arrives slowly. */
  async function drip(url: string, localAddress = '127.0.0.1'): Promise<ClientRequest> {
    const headers = { origin: url, 'content-type': 'text/plain', 'transfer-encoding': 'chunked' };
    const outgoing = httpRequest(url, { method: 'POST', headers, agent: false, localAddress });
    onTestFinished(() => void outgoing.destroy());
    outgoing.on('error', () => {}).write('{');
    await once(outgoing, 'socket');
    return outgoing;
  }

  it('rejects a body that takes longer than 10 s with status 408, and closes its connection', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { handler } = await open();
    const url = await serve(handler);
    const outgoing = await drip(url);
    const answered = once(outgoing, 'response');
    await expect.poll(() => handler.stats.requests).toBe(1);
    for (let second = 0; second < 9; second++) {
      vi.advanceTimersByTime(1_000);
      outgoing.write(' ');
    }
    await turnsOfTheLoop();
    expect(handler.stats.rejected.invalid).toBe(0);
    vi.advanceTimersByTime(1_000);
    const [response] = await answered;
    expect(response.statusCode).toBe(408);
    expect(JSON.parse(await text(response))).toEqual({
      error: 'The body did not arrive within 10 s.',
      reason: 'invalid',
    });
    if (!outgoing.destroyed) await once(outgoing, 'close');
  });

  it('rejects requests with status 503 while 100 bodies are arriving, and accepts them afterwards', async () => {
    const { handler } = await open();
    const url = await serve(handler);
    const send = async (): Promise<Response> => {
      const headers = { origin: url, 'content-type': 'text/plain' };
      return fetch(url, { method: 'POST', headers, body: JSON.stringify(body(record())) });
    };
    const slow = await Promise.all(Array.from({ length: 100 }, (_, n) => drip(url, `127.0.1.${n}`)));
    await expect.poll(() => handler.stats.requests).toBe(100);
    const rejected = await send();
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await rejected.json()).toEqual({ error: 'Too many requests are arriving.', reason: 'busy' });
    const done = slow.map((outgoing) => once(outgoing, 'response'));
    for (const outgoing of slow) outgoing.end(JSON.stringify(body(record())).slice(1));
    for (const [response] of await Promise.all(done)) expect(response.statusCode).toBe(204);
    expect((await send()).status).toBe(204);
  });

  it('rejects requests of a client with status 503 while 10 of its bodies are arriving, but not those of others', async () => {
    const { handler } = await open();
    const url = await serve(handler);
    await Promise.all(Array.from({ length: 15 }, () => drip(url, '127.0.1.1')));
    await expect.poll(() => handler.stats).toMatchObject({ requests: 15, rejected: { busy: 5 } });
    const headers = { origin: url, 'content-type': 'text/plain' };
    const init = { method: 'POST', headers, body: JSON.stringify(body(record())) };
    expect((await fetch(url, init)).status).toBe(204);
  });

  it('accepts records of other clients during 2,000 requests of one client', async () => {
    const { sink, handler } = await open();
    const url = await serve(handler);
    const headers = { origin: url, 'content-type': 'text/plain' };
    const agent = new Agent({ keepAlive: true, maxSockets: 50, localAddress: '127.0.0.2' });
    onTestFinished(() => agent.destroy());
    const hostile = JSON.stringify(body(record({ text: 'x'.repeat(1_000) }, 'hostile')));
    const flood = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const outgoing = httpRequest(url, { method: 'POST', headers, agent }, (response) => {
          response.resume().on('end', resolve);
        });
        outgoing.on('error', reject).end(hostile);
      });
    const floods = Promise.all(Array.from({ length: 2_000 }, flood));
    const statuses: number[] = [];
    for (let index = 0; index < 20; index++) {
      const content = JSON.stringify(body(record({ index }, 'allowed')));
      statuses.push((await fetch(url, { method: 'POST', headers, body: content })).status);
    }
    await floods;
    expect(statuses).toEqual(Array(20).fill(204));
    const { rejected, records, requests } = handler.stats;
    expect(requests).toBe(2_020);
    // The limit refills by 5 requests per second.
    expect(rejected.rateLimit).toBeGreaterThan(1_400);
    expect(records).toBe(2_020 - rejected.rateLimit - rejected.busy);
    await handler.ingester.flush();
    expect(sink.events.filter(({ attributes }) => attributes.message === 'allowed')).toHaveLength(20);
    expect(sink.events).toHaveLength(records);
  });
});
