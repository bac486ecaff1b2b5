import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogOptionsException } from '../../src/core/errors.ts';
import { Ingester } from '../../src/ingest/ingester.ts';
import { type IngesterOptions, resolveIngesterOptions } from '../../src/ingest/options.ts';
import type { DroppedRecords } from '../../src/ingest/report/delivery-event.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { closedPort } from '../helpers/closed-port.ts';
import { startDelivery } from '../helpers/delivery.ts';
import type { IngestSink, SinkAnswer } from '../helpers/ingest-sink.ts';

afterEach(() => void vi.unstubAllEnvs());

async function open(options: IngesterOptions = {}) {
  const { sink, warnings, options: own } = await startDelivery();
  const { baseUrl: ingestUrl, ...rest } = own;
  const drops: DroppedRecords[] = [];
  const ingester = new Ingester({
    ...rest,
    format: 'hec',
    ingestUrl,
    maxRetryDelayMs: 20,
    onDrop: (drop) => drops.push(drop),
    ...options,
  });
  onTestFinished(() => ingester.close());
  return { sink, warnings, ingester, drops };
}

function addNumbers(ingester: Ingester, count: number): void {
  for (let n = 0; n < count; n++) ingester.add({ attributes: { n } });
}

function numbers({ events }: IngestSink): unknown[] {
  return events.map(({ attributes }) => attributes.n);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

function response(code: number, text: string, status = 400, invalid?: number): SinkAnswer {
  return { status, body: JSON.stringify({ text, code, 'invalid-event-number': invalid }) };
}

it('HEC requests contain objects with time, event, metadata and tags as fields, gzipped', async () => {
  const { sink, ingester } = await open({
    host: 'web-1',
    source: 'shop',
    sourcetype: '_json',
    index: 'main',
    tags: { service: 'shop' },
    tagFields: ['level'],
  });
  ingester.add({
    timestamp: 1_700_000_000_123,
    attributes: { level: 'info', a: { b: 1 } },
    tags: { own: 'x' },
  });
  for (let n = 0; n < 100; n++) ingester.add({ attributes: { n } });
  await ingester.flush();
  const [request] = sink.requests;
  expect(request?.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'application/json' });
  expect(request?.objects[0]).toEqual({
    time: 1_700_000_000.123,
    event: { level: 'info', a: { b: 1 } },
    host: 'web-1',
    source: 'shop',
    sourcetype: '_json',
    index: 'main',
    fields: { service: 'shop', level: 'info', own: 'x' },
  });
  expect(request?.objects).toHaveLength(101);
});

it.each([
  ['', '/services/collector'],
  ['/', '/services/collector'],
  ['/services/collector', '/services/collector'],
  ['/services/collector/', '/services/collector'],
  ['/services/collector/event', '/services/collector/event'],
  ['/services/collector/event/1.0', '/services/collector/event/1.0'],
  ['/api/v1/ingest/hec', '/api/v1/ingest/hec'],
  ['/prefix/api/v1/ingest/hec', '/prefix/api/v1/ingest/hec'],
  ['/api/ingest/hec/abc/v1', '/api/ingest/hec/abc/v1/services/collector'],
  ['/api/ingest/hec/abc/v1/services/collector', '/api/ingest/hec/abc/v1/services/collector'],
])('the ingestUrl path "%s" results in requests to %s', async (path, target) => {
  const { options, sink } = await startDelivery();
  const { baseUrl, ...rest } = options;
  const ingester = new Ingester({ ...rest, format: 'hec', ingestUrl: baseUrl + path });
  ingester.add({ attributes: {} });
  await ingester.close();
  expect(sink.requests.map((request) => request.path)).toEqual([target]);
});

describe('HEC options', () => {
  const token = { ingestToken: 't', format: 'hec' } as const;

  it.each<[IngesterOptions, Record<string, string>, object]>([
    [
      { ingestUrl: 'https://splunk.example.com:8088' },
      {},
      { authScheme: 'Splunk', endpoint: 'services/collector' },
    ],
    [
      { ingestUrl: 'https://a.ingest.us-1.crowdstrike.com' },
      {},
      { authScheme: 'Bearer', endpoint: 'services/collector' },
    ],
    [{ ingestUrl: 'https://a.ingest.us-1.crowdstrike.com.example.com' }, {}, { authScheme: 'Splunk' }],
    [{ ingestUrl: 'https://logscale.example.com/api/v1/ingest/hec' }, {}, { authScheme: 'Bearer' }],
    [
      { baseUrl: 'https://logscale.example.com' },
      {},
      { authScheme: 'Bearer', endpoint: 'api/v1/ingest/hec' },
    ],
    [
      { baseUrl: 'https://mine.example.com' },
      { LOGSCALE_INGEST_URL: 'https://other.example.com' },
      { endpoint: 'api/v1/ingest/hec' },
    ],
    [
      {},
      { LOGSCALE_INGEST_URL: 'https://splunk.example.com', LOGSCALE_URL: 'https://logscale.example.com' },
      { endpoint: 'services/collector' },
    ],
    [{}, { LOGSCALE_URL: 'https://logscale.example.com' }, { endpoint: 'api/v1/ingest/hec' }],
  ])('resolve %j with the environment %j to %j', (options, environment, expected) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    expect(resolveIngesterOptions({ ...token, ...options })).toMatchObject({
      ...expected,
      isDefaultAddress: false,
    });
  });

  it('are read from environment variables if none are passed', () => {
    vi.stubEnv('LOGSCALE_FORMAT', 'hec');
    vi.stubEnv('LOGSCALE_INGEST_URL', 'https://splunk.example.com');
    vi.stubEnv('LOGSCALE_INGEST_TOKEN', 'key');
    expect(resolveIngesterOptions({})).toMatchObject({ token: 'key', authScheme: 'Splunk', hec: {} });
  });

  it.each<[IngesterOptions, RegExp]>([
    [token, /needs an address. Pass "ingestUrl" or set LOGSCALE_INGEST_URL/],
    [
      { ...token, ingestUrl: 'https://a.example.com', baseUrl: 'https://b.example.com' },
      /"ingestUrl" and "baseUrl" can't be combined/,
    ],
    [{ ...token, ingestUrl: 'https://user:secret@a.example.com' }, /"ingestUrl" contains credentials/],
    [
      { format: 'hec', ingestUrl: 'https://a.example.com' },
      /needs an API key or a token.*"ingestToken".*LOGSCALE_INGEST_TOKEN/,
    ],
    [{ format: 'hec', ingestUrl: 'https://a.example.com', userToken: 'u' }, /needs an API key/],
    [{ ingestToken: 't', index: 'main' }, /"index" requires format: 'hec'/],
    [{ ingestToken: 't', ingestUrl: 'https://a.example.com' }, /"ingestUrl" requires format: 'hec'/],
    [{ ...token, ingestUrl: 'https://a.example.com', host: '' }, /"host" must be a non-empty string/],
    [{ ingestToken: 't', format: 'json' as 'hec' }, /"format" must be one of structured, hec/],
  ])('reject %j with an error that explains the fix', (options, message) => {
    const resolve = (): unknown => resolveIngesterOptions(options);
    expect(resolve).toThrow(LogOptionsException);
    expect(resolve).toThrow(message);
    expect(resolve).not.toThrow(/secret/);
  });

  it('name LOGSCALE_INGEST_URL if nothing uses it', () => {
    vi.stubEnv('LOGSCALE_INGEST_URL', 'https://splunk.example.com');
    expect(() => resolveIngesterOptions({ ingestToken: 't' })).toThrow(
      'Ingester: LOGSCALE_INGEST_URL requires LOGSCALE_FORMAT=hec.',
    );
    expect(resolveIngesterOptions({ ingestToken: 't', format: 'structured' }).hec).toBeUndefined();
  });

  it('name an invalid LOGSCALE_FORMAT or LOGSCALE_INGEST_URL in the error', () => {
    vi.stubEnv('LOGSCALE_INGEST_URL', 'splunk');
    expect(() => resolveIngesterOptions(token)).toThrow(/LOGSCALE_INGEST_URL does not start with http/);
    vi.stubEnv('LOGSCALE_FORMAT', 'splunk');
    expect(() => resolveIngesterOptions({})).toThrow(/"LOGSCALE_FORMAT" must be one of/);
  });
});

describe('HEC responses', () => {
  it.each([
    ['200 without a body', { status: 200, body: '' }],
    ['200 with code 0', response(0, 'Success', 200)],
    ['200 with the body of another service', { status: 200, body: 'ok' }],
    ['204', { status: 204, body: '' }],
  ])('%s counts as a delivery', async (_, answer) => {
    const { sink, ingester, warnings } = await open();
    sink.answer = () => answer;
    addNumbers(ingester, 3);
    await ingester.flush();
    expect(ingester.stats).toMatchObject({ delivered: 3, retried: 0 });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['503 with code 9', response(9, 'Server is busy', 503, 1)],
    ['200 with code 9', response(9, 'Server is busy', 200)],
    ['200 with code 8', response(8, 'Internal server error', 200)],
    ['429', response(26, 'queue is at capacity', 429)],
    ['500 with code 8', response(8, 'Internal server error', 500)],
  ])('of %s causes a retry', async (_, answer) => {
    const { sink, ingester } = await open();
    sink.answer = (__, index) => (index < 2 ? answer : {});
    addNumbers(ingester, 3);
    await ingester.flush();
    expect(numbers(sink).slice(-3)).toEqual([0, 1, 2]);
    expect(ingester.stats).toMatchObject({ delivered: 3, retried: 2 });
  });

  it.each([
    ['401', response(2, 'Token is required', 401), /Check the API key or token, the address/],
    ['403', response(4, 'Invalid token', 403), /Check the API key or token, the address/],
    ['400 with code 7', response(7, 'Incorrect index', 400, 0), /Incorrect index.*Check "index"/],
    ['400 with code 10', response(10, 'Data channel is missing'), /turn off its indexer acknowledgment/],
    ['200 with code 4', response(4, 'Invalid token', 200), /Check the token/],
  ])('%s causes one warning, and the records are kept', async (_, answer, message) => {
    const { sink, ingester, warnings } = await open();
    sink.answer = (__, index) => (index < 3 ? answer : {});
    addNumbers(ingester, 3);
    await ingester.flush();
    // Behind a request that failed three times, the order is not kept.
    expect(numbers(sink).slice(-3).sort()).toEqual([0, 1, 2]);
    expect(ingester.stats).toMatchObject({ delivered: 3, dropped: { rejected: 0 } });
    expect(warnings.map(({ kind }) => kind)).toEqual(['attention']);
    expect(warnings[0]?.message).toMatch(message);
    expect(warnings[0]?.message).not.toContain('ingest-token-0815');
  });

  it('413 splits the batch until the service accepts it', async () => {
    const { sink, ingester } = await open();
    sink.answer = ({ objects }) => (objects.length > 10 ? response(27, 'too large', 413) : {});
    addNumbers(ingester, 40);
    await ingester.flush();
    expect(numbers(sink)).toEqual(range(40));
  });
});

it.each<[string, SinkAnswer | undefined, RegExp]>([
  ['a closed port', undefined, /^Records stay queued.* and that ingestUrl is correct\.$/],
  ['a redirect', { status: 302, headers: { location: 'https://a.example.com/' } }, /: set ingestUrl to the/],
])('an HEC warning about %s mentions the option ingestUrl, not baseUrl', async (_, answer, message) => {
  const closed = { ingestUrl: `http://127.0.0.1:${await closedPort()}` };
  const { sink, ingester, warnings } = await open(answer === undefined ? closed : {});
  if (answer !== undefined) sink.answer = () => answer;
  addNumbers(ingester, 1);
  await vi.waitFor(() => expect(warnings).not.toEqual([]), 10_000);
  expect(warnings[0]?.message).toMatch(message);
  expect(warnings[0]?.message).not.toContain('baseUrl');
});

describe('HEC authorization scheme', () => {
  const answerTo =
    (scheme: string): IngestSink['answer'] =>
    ({ headers }) =>
      headers.authorization?.startsWith(`${scheme} `) ? {} : response(3, 'Invalid authorization', 401);

  it.each(['Bearer', 'Splunk'])(
    'is found if the receiver accepts only %s, and remembered',
    async (scheme) => {
      const { sink, ingester, warnings } = await open({ maxBatchRecords: 1 });
      sink.answer = answerTo(scheme);
      addNumbers(ingester, 3);
      await ingester.flush();
      const schemes = sink.requests.map(({ headers }) => headers.authorization?.split(' ')[0]);
      const firstTry = scheme === 'Splunk' ? [] : ['Splunk'];
      expect(schemes).toEqual([...firstTry, scheme, scheme, scheme]);
      expect(ingester.stats).toMatchObject({ delivered: 3, retried: 0 });
      expect(warnings).toEqual([]);
    },
  );

  it('is named in the warning if neither is accepted, and both are tried again', async () => {
    const { sink, ingester, warnings } = await open({ closeTimeoutMs: 50 });
    sink.answer = answerTo('Basic');
    addNumbers(ingester, 3);
    await vi.waitFor(() => expect(sink.requests.length).toBeGreaterThan(3), 10_000);
    const schemes = sink.requests.slice(0, 4).map(({ headers }) => headers.authorization?.split(' ')[0]);
    expect(schemes).toEqual(['Splunk', 'Bearer', 'Bearer', 'Splunk']);
    expect(warnings[0]?.message).toMatch(/schemes Bearer and Splunk were both tried/);
  });
});

describe('Truncated HEC response', () => {
  const truncated: SinkAnswer = {
    headers: { 'content-length': '100' },
    body: '{"text":"Success',
    cutAfterBody: true,
  };

  it('is retried until a complete response with code 0 was seen', async () => {
    const { sink, ingester } = await open({ maxBatchRecords: 1 });
    sink.answer = (_, index) => (index === 2 ? {} : truncated);
    addNumbers(ingester, 3);
    await ingester.flush();
    expect(sink.requests).toHaveLength(5);
    expect(ingester.stats).toMatchObject({ delivered: 3, retried: 2 });
  });
});

describe('A successful response with an error code', () => {
  it.each([
    [
      'an echoed token',
      (token: string) => ({ code: 9, text: `busy: Splunk ${token}, secret-of-a-header` }),
      'busy: [redacted], [redacted]',
    ],
    ['no text', () => ({ code: 9 }), '{"code":9}'],
    ['a long text', () => ({ code: 9, text: 'x'.repeat(5_000) }), 'x'.repeat(600)],
  ])('is reported in one short line without secrets: %s', async (_, bodyFor, reported) => {
    const { sink, ingester, warnings } = await open({ headers: { 'x-key': 'secret-of-a-header' } });
    sink.answer = ({ headers }, index) =>
      index < 2 ? { body: JSON.stringify(bodyFor(String(headers.authorization).split(' ')[1]!)) } : {};
    addNumbers(ingester, 1);
    await ingester.flush();
    const [{ message = '' } = {}] = warnings;
    expect(message).toBe(
      `Records stay queued and are retried: The event collector responded with code 9: ${reported}.`,
    );
  });
});

describe('Invalid event in an HEC batch', () => {
  const INVALID = '{"timestamp":1700000000000,"attributes":{"n":}}';

  async function deliver(options: IngesterOptions = {}, prepare?: (sink: IngestSink) => void) {
    const delivery = await open(options);
    const { sink, ingester } = delivery;
    prepare?.(sink);
    addNumbers(ingester, 1_000);
    ingester.addText(INVALID);
    for (let n = 1_000; n < 2_000; n++) ingester.add({ attributes: { n } });
    await ingester.flush();
    return delivery;
  }

  it('is dropped by its number and reported, and only events stored before it are duplicated', async () => {
    const { sink, ingester, drops, warnings } = await deliver();
    // The first request stores the events before it, like Splunk.
    expect(numbers(sink)).toEqual([...range(1_000), ...range(2_000)]);
    expect(sink.requests.map(({ objects }) => objects.length)).toEqual([1_000, 1_000, 0, 1_000]);
    expect(ingester.stats).toMatchObject({ accepted: 2_001, delivered: 2_000, dropped: { rejected: 1 } });
    expect(drops.map(({ reason, events }) => ({ reason, events }))).toEqual([
      { reason: 'rejected', events: [expect.stringContaining('"event":{"n":}')] },
    ]);
    expect(warnings.map(({ kind }) => kind)).toEqual(['rejected']);
  });

  it('is dropped by its number with a spool and batch IDs', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'logclient-hec-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const { sink, ingester } = await deliver({
      spool: { directory },
      batchIds: true,
      maxBatchRecords: 2_001,
    });
    expect(new Set(numbers(sink))).toEqual(new Set(range(2_000)));
    expect(ingester.stats).toMatchObject({ delivered: 2_000, dropped: { rejected: 1 } });
    const marks = sink.requests.flatMap(({ objects }) => objects.map(({ fields }) => Number(fields?.seq)));
    expect(new Set(marks).size).toBe(2_000);
  });

  it.each([
    ['that counts from 1', (number: number) => number + 1],
    ['beyond the request', () => 9_999],
    ['below 0', () => -1],
    ['that is no number', () => Number.NaN],
  ])('is dropped without loss of other events if the receiver reports a number %s', async (_, numberOf) => {
    const { sink, ingester } = await deliver({}, (sink) => {
      sink.answer = ({ objects, failure }) =>
        failure === undefined ? {} : response(6, failure.text, 400, numberOf(objects.length));
    });
    expect([...new Set(numbers(sink))].sort((a, b) => Number(a) - Number(b))).toEqual(range(2_000));
    expect(ingester.stats).toMatchObject({ delivered: 2_000, dropped: { rejected: 1 } });
  });
});

it('an HEC event above maxEventBytes is shortened', async () => {
  const { sink, ingester } = await open({ maxEventBytes: 2_000 });
  ingester.add({ attributes: { text: 'x'.repeat(10_000), level: 'info' } });
  await ingester.flush();
  expect(sink.events[0]?.attributes).toEqual({
    level: 'info',
    text: expect.stringMatching(/^x+… \[cut, 10000 bytes in all\]$/),
  });
});

it('HEC events are stored by the LogScale event collector with their fields, host and tags', async () => {
  const server = await startLocalServer();
  onTestFinished(() => server.close());
  const { url: baseUrl, ingestToken } = server;
  const ingester = new Ingester({
    format: 'hec',
    baseUrl,
    ingestToken,
    host: 'web-1',
    tags: { service: 'shop' },
  });
  ingester.add({ timestamp: Date.now(), attributes: { level: 'info', a: { b: 1 } } });
  ingester.add({ rawstring: 'a line' });
  await ingester.close();
  expect(server.inspect.events()).toMatchObject([
    { '@host': 'web-1', service: 'shop', level: 'info', 'a.b': '1' },
    { '@host': 'web-1', service: 'shop', '@rawstring': 'a line' },
  ]);
});

it('HEC delivery to a Next-Gen SIEM connector drops an invalid event and stores the others once', async () => {
  const server = await startLocalServer({ ngsiem: true });
  onTestFinished(() => server.close());
  const { hecUrl: ingestUrl, hecToken: ingestToken } = server;
  const ingester = new Ingester({ format: 'hec', ingestUrl, ingestToken, onWarning: () => {} });
  addNumbers(ingester, 100);
  ingester.addText('{"timestamp":1700000000000,"attributes":{"n":}}');
  addNumbers(ingester, 100);
  await ingester.close();
  expect(ingester.stats).toMatchObject({
    accepted: 201,
    delivered: 200,
    dropped: { rejected: 1 },
    batches: 2,
  });
  const stored = server.inspect.events().map(({ n }) => Number(n));
  expect(stored).toEqual([...range(100), ...range(100)]);
});

it('the codes of HEC mean nothing in a response of LogScale', async () => {
  const { options, sink } = await startDelivery();
  sink.answer = () => ({ status: 400, body: '{"code":7,"text":"Incorrect index"}' });
  const ingester = new Ingester({ ...options, onWarning: () => {} });
  ingester.add({ attributes: {} });
  await ingester.close();
  expect(ingester.stats).toMatchObject({ dropped: { rejected: 1 } });
});
