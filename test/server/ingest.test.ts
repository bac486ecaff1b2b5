import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogIngestClient } from '../../src/client/ingest-client.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { ingest, post, stream } from './query-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer({ listen: false, now: NOW, maxEventBytes: 10_000 });
});
afterEach(() => server.close());

async function ingestText(path: string, body: string | Uint8Array, headers?: Record<string, string>) {
  const response = await post(server, path, body, { token: server.ingestToken, headers: { ...headers } });
  return `${response.status} ${await response.text()}`;
}

describe('Structured events', () => {
  it('are stored with @id, @ingesttimestamp, #repo, #type and their tags', async () => {
    await ingest(
      server,
      [
        {
          timestamp: '2026-02-03T09:59:00.123456789+01:00',
          attributes: { level: 'warn' },
          rawstring: 'upstream failed',
        },
      ],
      { host: 'web-7' },
    );
    const [event, ...others] = await stream(server, '*');
    expect(others).toEqual([]);
    expect(event).toEqual({
      '@timestamp': Date.UTC(2026, 1, 3, 8, 59, 0, 123),
      '@timestamp.nanos': '456789',
      '@timezone': '+01:00',
      '@id': expect.stringMatching(/^[A-Za-z0-9]{24}_\d+_\d+_1770109140$/),
      '@ingesttimestamp': String(NOW),
      '@rawstring': 'upstream failed',
      '#repo': 'sandbox',
      '#type': 'none',
      '#host': 'web-7',
      level: 'warn',
    });
  });

  it('keep a numeric timestamp and its timezone', async () => {
    await ingest(server, [{ timestamp: NOW - 5, timezone: 'Europe/Copenhagen', attributes: {} }]);
    expect(await stream(server, '*')).toMatchObject([
      { '@timestamp': NOW - 5, '@timezone': 'Europe/Copenhagen', '@rawstring': '{}' },
    ]);
  });

  it('are flattened, with numbers kept as they are written', async () => {
    const attributes = `{"a": {"b": 1, "c": []}, "arr": ["x", "y"], "u": [{"n": "p"}, {"n": "q"}],
      "m": [["a", "b"]], "seven": 7.0, "exp": 1e5, "long": 12345678901234567890, "t": true, "n": null, "e": ""}`;
    const body = `[{"events": [{"timestamp": ${NOW - 1}, "attributes": ${attributes}}]}]`;
    expect(await ingestText('ingest/humio-structured', body)).toBe('200 {}');
    const [event] = await stream(server, '*');
    expect(event).toMatchObject({
      'a.b': '1',
      'arr[0]': 'x',
      'arr[1]': 'y',
      'u[0].n': 'p',
      'u[1].n': 'q',
      'm[0][0]': 'a',
      'm[0][1]': 'b',
      seven: '7.0',
      exp: '1e5',
      long: '12345678901234567890',
      t: 'true',
      n: 'null',
      e: '',
    });
    expect(event?.['@rawstring']).toContain('"seven":7.0,"exp":1e5,"long":12345678901234567890,');
  });

  it('can have fields of any name, including __proto__ and constructor', async () => {
    const attributes = '{"__proto__": "p", "constructor": "c", "0": "zero", "toString": "s", "æ ø": "å"}';
    const body = `[{"events": [{"timestamp": ${NOW}, "attributes": ${attributes}}]}]`;
    await ingestText('ingest/humio-structured', body);
    const [event] = await stream(server, '*');
    expect(Object.entries(event ?? {})).toEqual(
      expect.arrayContaining([
        ['__proto__', 'p'],
        ['constructor', 'c'],
        ['0', 'zero'],
        ['toString', 's'],
        ['æ ø', 'å'],
        ['@timestamp', NOW],
      ]),
    );
  });

  it('cannot set @timestamp, @id or #repo in their attributes', async () => {
    await ingest(server, [
      {
        timestamp: NOW,
        attributes: { '@timestamp': '1', '#repo': 'other', '@id': 'mine', '@rawstring': 'no' },
      },
    ]);
    const [event] = await stream(server, '*');
    expect(event).toMatchObject({ '@timestamp': NOW, '#repo': 'sandbox' });
    expect(event?.['@id']).not.toBe('mine');
  });

  it('lose their fields and the end of @rawstring above maxEventBytes', async () => {
    const rawstring = 'é'.repeat(6000);
    await ingest(server, [{ timestamp: NOW, attributes: { level: 'info' }, rawstring }]);
    const [event] = await stream(server, '*');
    expect(event?.level).toBeUndefined();
    const text = String(event?.['@rawstring']);
    expect(text).toMatch(/^é+\.\.\.$/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(9_900);
  });

  it('keep only the first 1,000 fields by name', async () => {
    await server.close();
    server = await startLocalServer({ listen: false, now: NOW });
    const attributes = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`f${10_000 + i}`, 'x']));
    await ingest(server, [{ timestamp: NOW, attributes }]);
    const [event = {}] = await stream(server, '*');
    expect(Object.keys(event).filter((name) => name.startsWith('f'))).toHaveLength(1000);
    expect(event).toHaveProperty('f10999');
    expect(event).not.toHaveProperty('f11000');
  });
});

describe('Messages', () => {
  it('are parsed as JSON without a parser if they are JSON objects', async () => {
    const messages = ['{"time":"2026-02-03T08:59:59Z","user":{"name":"bob"}}', '{not=json', '[1]'];
    expect(await ingestText('ingest/humio-unstructured', JSON.stringify([{ messages }]))).toBe('200 {}');
    expect(await ingestText('ingest/raw', '{"n":4}')).toBe('200 {}');
    const events = await stream(server, '*');
    expect(events).toContainEqual(
      expect.objectContaining({ '#type': 'default', '@timestamp': NOW - 1000, 'user.name': 'bob' }),
    );
    for (const fields of [{ not: 'json' }, { '@rawstring': '[1]' }, { n: '4' }])
      expect(events).toContainEqual(expect.objectContaining(fields));
    expect(events.filter((event) => '@error' in event)).toEqual([]);
  });

  it('in JSON get no fields from the parser kv', async () => {
    const body = JSON.stringify([{ type: 'kv', messages: ['{"a": 1}'] }]);
    expect(await ingestText('ingest/humio-unstructured', body)).toBe('200 {}');
    const [event] = await stream(server, '*');
    expect(event).toMatchObject({ '#type': 'kv' });
    expect(event).not.toHaveProperty('a');
  });

  it('are parsed as key-value pairs without a parser, with their leading time or the current time', async () => {
    const messages = [
      'plain text',
      '2026-02-03T08:59:59.5+00:00 user=bob msg="it \\"works\\"" empty= path=/a?b=c, n=1',
    ];
    expect(await ingestText('ingest/humio-unstructured', JSON.stringify([{ messages }]))).toBe('200 {}');
    const [second, first] = await stream(server, '*');
    expect(first).toMatchObject({
      '@rawstring': 'plain text',
      '#type': 'default',
      '@timestamp': NOW,
      '@timezone': 'Z',
    });
    expect(second).toMatchObject({
      '@timestamp': NOW - 500,
      '@timezone': '+00:00',
      user: 'bob',
      msg: 'it "works"',
      empty: '',
      path: '/a?b=c',
      n: '1',
    });
  });

  it('get the fields and tags of their group', async () => {
    const group = { messages: ['a=1'], fields: { '@session': 's-1' }, tags: { env: 'test' } };
    await post(server, 'dataspaces/sandbox/ingest-messages', JSON.stringify([group]));
    expect(await stream(server, '*')).toMatchObject([{ a: '1', '@session': 's-1', '#env': 'test' }]);
  });

  it('are parsed as access log lines with the parser accesslog', async () => {
    const line =
      '10.0.0.1 - bob [03/Feb/2026:09:30:00 +0100] "GET /x?y=1 HTTP/1.1" 200 12 "http://r" "curl/8" 0.25';
    await ingestText('ingest/humio-unstructured', JSON.stringify([{ type: 'accesslog', messages: [line] }]));
    expect(await stream(server, '*')).toMatchObject([
      {
        '@timestamp': Date.UTC(2026, 1, 3, 8, 30),
        '#type': 'accesslog',
        client: '10.0.0.1',
        userid: 'bob',
        method: 'GET',
        url: '/x?y=1',
        httpversion: 'HTTP/1.1',
        statuscode: '200',
        responsesize: '12',
        referrer: 'http://r',
        useragent: 'curl/8',
        responsetime: '0.25',
      },
    ]);
  });

  it('are parsed as JSON with the parser json', async () => {
    const message = `{"@timestamp": "2026-02-03T08:00:00Z", "a": {"b": 7.0}}`;
    await ingestText('ingest/humio-unstructured', JSON.stringify([{ type: 'json', messages: [message] }]));
    expect(await stream(server, '*')).toMatchObject([{ '@timestamp': NOW - 3_600_000, 'a.b': '7.0' }]);
  });

  it.each([
    ['json', 'not JSON', 'The text is not JSON.'],
    ['accesslog', 'hello', 'The text is not a line of an access log.'],
    [
      'nosuch',
      'hello',
      'There is no parser "nosuch". This local server has: accesslog, audit-log, default, json, json-for-action, kv, syslog, syslog-utc.',
    ],
  ])('are stored with an error when the parser %s fails', async (type, message, problem) => {
    const body = JSON.stringify([{ type, messages: [message] }]);
    expect(await ingestText('ingest/humio-unstructured', body)).toBe('200 {}');
    expect(await stream(server, '*')).toMatchObject([
      {
        '@rawstring': message,
        '@error': 'true',
        '@event_parsed': 'false',
        '@error_msg': problem,
        '#type': type,
      },
    ]);
  });
});

describe('Request bodies', () => {
  it('are stored as one event when sent to /ingest/raw', async () => {
    expect(await ingestText('ingest/raw', 'line one\nk=v')).toBe('200 {}');
    expect(await stream(server, '*')).toMatchObject([{ '@rawstring': 'line one\nk=v', k: 'v' }]);
  });

  it('are stored as one event per item when a JSON array is sent to /ingest/json', async () => {
    expect(await ingestText('ingest/json', '[{"a": 1.50}, {"a": {"b": null}}]')).toBe('200 {}');
    expect(await stream(server, '*')).toMatchObject([
      { a: '1.50', '@rawstring': '{"a":1.50}' },
      { 'a.b': 'null' },
    ]);
  });

  it('can be compressed with gzip', async () => {
    const body = gzipSync(JSON.stringify([{ events: [{ timestamp: NOW, attributes: { a: 1 } }] }]));
    expect(await ingestText('ingest/humio-structured', body, { 'content-encoding': 'gzip' })).toBe('200 {}');
    expect(await stream(server, '*')).toMatchObject([{ a: '1' }]);
  });

  it('are accepted without events', async () => {
    expect(await ingestText('ingest/humio-structured', '[]')).toBe('200 {}');
    expect(await ingestText('ingest/humio-structured', '[{"events":[]}]')).toBe('200 {}');
    expect(server.inspect.store().events).toBe(0);
  });
});

describe('Tokens for ingest', () => {
  it.each([
    ['Bearer', (token: string) => `Bearer ${token}`],
    [
      'Basic with the token as user',
      (token: string) => `Basic ${Buffer.from(`${token}:x`).toString('base64')}`,
    ],
    ['Splunk', (token: string) => `Splunk ${token}`],
  ])('are accepted as %s', async (_, authorization) => {
    const response = await post(server, 'ingest/raw', 'x', {
      headers: { authorization: authorization(server.ingestToken) },
    });
    expect(response.status).toBe(200);
  });

  it('user tokens write to the repository in the path', async () => {
    const body = JSON.stringify([{ events: [{ timestamp: NOW, attributes: {} }] }]);
    for (const path of ['dataspaces/sandbox/ingest', 'repositories/sandbox/ingest']) {
      expect((await post(server, path, body)).status).toBe(200);
    }
    expect(server.inspect.store().events).toBe(2);
  });

  it.each([
    'api/v1/ingest/humio-structured',
    'api/v1/ingest/humio-unstructured',
    'api/v1/ingest/json',
    'api/v1/ingest/raw',
    'api/v1/ingest/hec',
    'services/collector',
    'services/collector/raw',
    'api/v1/ingest/elastic-bulk/_bulk',
    'v1/logs',
  ])('user tokens get a 403 from /%s, because they have no repository', async (path) => {
    const response = await server.fetch(`${server.url}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.userToken}`, 'content-type': 'application/json' },
      body: '[]',
    });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('is not authorized to access this resource');
    expect(server.inspect.store().events).toBe(0);
    expect(server.inspect.rejections()).toMatchObject([
      { token: 'user token', status: 403, fix: expect.stringContaining('Use an ingest token') },
    ]);
  });

  it('LogIngestClient with a user token fails with status 403', async () => {
    const client = new LogIngestClient({
      baseUrl: server.url,
      ingestToken: server.userToken,
      fetch: server.fetch,
    });
    await expect(client.ingestMessages(['a'])).rejects.toMatchObject({ statusCode: 403 });
    await expect(client.ingestJsonData()).rejects.toMatchObject({ statusCode: 403 });
  });
});

describe('Parser of an ingest token', () => {
  let token: string;
  beforeEach(async () => {
    const response = await server.fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.userToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `mutation { addIngestTokenV3(input: {
          repositoryName: "sandbox", name: "with parser", parser: "json" }) { token } }`,
      }),
    });
    const { data } = (await response.json()) as { data: { addIngestTokenV3: { token: string } } };
    token = data.addIngestTokenV3.token;
  });

  it('parses messages even if they name another parser', async () => {
    const body = JSON.stringify([{ type: 'kv', messages: ['{"a": 1}'] }]);
    expect((await post(server, 'ingest/humio-unstructured', body, { token })).status).toBe(200);
    expect(await stream(server, '*')).toMatchObject([{ '#type': 'json', a: '1' }]);
  });

  it('adds fields to structured events, but does not overwrite their attributes', async () => {
    const rawstring = '{"a": "from the text", "b": "from the text"}';
    const body = JSON.stringify([{ events: [{ timestamp: NOW, attributes: { a: 'given' }, rawstring }] }]);
    expect((await post(server, 'ingest/humio-structured', body, { token })).status).toBe(200);
    expect(await stream(server, '*')).toMatchObject([{ '#type': 'json', a: 'given', b: 'from the text' }]);
  });
});

describe('Event times', () => {
  it.each([
    ['2026-02-03T08:00:00Z', 0, 'Z'],
    ['2026-02-03 08:00Z', 0, 'Z'],
    ['2026-02-03T09:00:00.001+01:00', 1, '+01:00'],
    ['2026-02-03T03:30:00,5-0430', 500, '-0430'],
    ['2026-02-03T10:00:00+02', 0, '+02'],
    ['2026-02-03T09:00:00+01:00[Europe/Copenhagen]', 0, '+01:00'],
  ])('can be written as %s', async (timestamp, milliseconds, timezone) => {
    await ingest(server, [{ timestamp, attributes: {} }]);
    expect(await stream(server, '*')).toMatchObject([
      { '@timestamp': NOW - 3_600_000 + milliseconds, '@timezone': timezone },
    ]);
  });

  it('@ingesttimestamp follows the server clock, which can be advanced, set and resumed', async () => {
    await ingest(server, [{ timestamp: NOW, attributes: {} }]);
    server.clock.advance(5000);
    await ingestText('ingest/raw', 'x');
    server.clock.set(NOW + 60_000);
    await ingestText('ingest/raw', 'y');
    const arrivals = server.inspect.events().map((event) => Number(event['@ingesttimestamp']) - NOW);
    expect(arrivals).toEqual([0, 5000, 60_000]);
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    server.clock.resume();
    server.clock.advance(3_600_000);
    expect(server.clock.now()).toBe(Date.now() + 3_600_000);
    expect(() => server.clock.advance(-1)).toThrow(RangeError);
  });
});
