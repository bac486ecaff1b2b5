import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';

const NOW = Date.UTC(2026, 1, 3, 9);
const TIME = '2026-02-03T09:59:59.250+01:00';

let server: LocalServer;
beforeEach(async () => {
  await server?.close();
  server = await startLocalServer({ now: NOW });
});
afterAll(() => server.close());

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}/api/v1/ingest/elastic-bulk${path}`, {
    ...init,
    headers: {
      authorization: `Basic ${btoa(`${server.ingestToken}:ignored`)}`,
      'content-type': 'application/x-ndjson',
      ...(init.headers as Record<string, string>),
    },
  });
}

interface BulkAnswer {
  readonly took: number;
  readonly errors: boolean;
  readonly items: readonly Record<
    string,
    {
      readonly _index: string;
      readonly _id: string;
      readonly status: number;
      readonly error?: { reason: string };
    }
  >[];
}

async function bulk(lines: readonly unknown[], path = '/_bulk'): Promise<BulkAnswer> {
  const body = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const response = await call(path, { method: 'POST', body });
  expect(response.status).toBe(200);
  return (await response.json()) as BulkAnswer;
}

function events(): Record<string, string>[] {
  return server.inspect.events();
}

describe('POST /api/v1/ingest/elastic-bulk/_bulk', () => {
  it('stores each document as an event with its time, tags, _index and _id', async () => {
    const answer = await bulk([
      { index: { _index: 'web', _id: 'a-1' } },
      `{"@timestamp":"${TIME}","service":"shop","n":7.0,"http":{"tries":[1,2]},"@tags":["service","absent"]}`,
    ]);
    expect(answer).toEqual({
      took: expect.any(Number),
      errors: false,
      items: [
        { index: expect.objectContaining({ _index: 'web', _id: 'a-1', result: 'created', status: 201 }) },
      ],
    });
    expect(events()).toMatchObject([
      {
        '@timestamp': String(NOW - 750),
        '@timezone': '+01:00',
        '#type': 'none',
        '#service': 'shop',
        n: '7.0',
        'http.tries[1]': '2',
        _index: 'web',
        _id: 'a-1',
        '@rawstring': expect.stringContaining('"n":7.0'),
      },
    ]);
    expect(events()[0]).not.toHaveProperty('service');
  });

  it('returns a status for each item and stores the valid documents', async () => {
    const { errors, items } = await bulk(
      [
        { create: {} },
        { '@timestamp': NOW, n: 1 },
        { index: {} },
        { n: 2 },
        { index: {} },
        'no JSON',
        { delete: { _id: 'x' } },
        { update: { _id: 'y' } },
        { doc: { n: 3 } },
        { index: { _index: 'other' }, attempts: 0 },
        { time: TIME, n: 4 },
      ],
      '/logs/_bulk',
    );
    expect(errors).toBe(true);
    const seen = items.map((item) => Object.entries(item)[0]!);
    expect(seen.map(([action, { _index, status }]) => `${action} ${_index} ${status}`)).toEqual([
      'create logs 201',
      'index logs 400',
      'index logs 400',
      'delete logs 400',
      'update logs 400',
      'index other 201',
    ]);
    expect(seen[1]![1].error?.reason).toContain('"@timestamp"');
    expect(seen[2]![1].error?.reason).toContain('no JSON');
    expect(seen[3]![1].error?.reason).toContain('only accepts new documents');
    expect(events().map(({ n }) => n)).toEqual(['4', '1']);
    expect(seen[0]![1]._id).toBe(events()[1]!['@id']);
  });

  it('rejects documents nested deeper than 200 levels, even in @tags, and stores the others', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { items } = await bulk([
      { index: {} },
      `{"@timestamp":${NOW},"a":${deep}}`,
      { index: {} },
      `{"@timestamp":${NOW},"@tags":${deep}}`,
      { index: {} },
      { '@timestamp': NOW, n: 1 },
    ]);
    const problem = 'the document is nested deeper than 200 levels.';
    expect(items.map(({ index }) => index?.error?.reason)).toEqual([problem, problem, undefined]);
    expect(events()).toMatchObject([{ n: '1' }]);
  });

  it('accepts tags of any name, including __proto__ and constructor', async () => {
    await bulk([
      { index: {} },
      `{"@timestamp":${NOW},"@tags":["__proto__","constructor"],"__proto__":"a","constructor":"b"}`,
    ]);
    expect(Object.entries(events()[0]!).filter(([name]) => /^#[_c]/.test(name))).toEqual([
      ['#__proto__', 'a'],
      ['#constructor', 'b'],
    ]);
  });

  it('runs the parser of the ingest token', async () => {
    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    await client.createParser('loud', 'message := upper(message)');
    await client.assignParserToIngestToken('default', 'loud');
    await bulk([{ index: {} }, { '@timestamp': TIME, message: 'hi' }]);
    expect(events()).toMatchObject([{ '#type': 'loud', message: 'HI' }]);
  });

  it('accepts a gzip body, a path without /_bulk and a Bearer token', async () => {
    const response = await call('', {
      method: 'POST',
      body: gzipSync(`{"index":{}}\n{"@timestamp":"${TIME}","a":1}`),
      headers: { 'content-encoding': 'gzip', authorization: `Bearer ${server.ingestToken}` },
    });
    expect(response.status).toBe(200);
    expect(events()).toHaveLength(1);
  });

  it.each([
    ['nonsense\n', 'line 1: '],
    ['{"index":{}}\n{"@timestamp":1}\n\n{"a":1}\n{}\n', 'line 4 must be an action'],
    ['{"index":{}}\n', 'The action in line 1 has no document.'],
    ['{"index":[]}\n{}\n', 'line 1.index must be an object (got an array).'],
  ])('rejects the whole body %j with status 400', async (body, message) => {
    const response = await call('/_bulk', { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(message);
    expect(events()).toEqual([]);
  });

  it('rejects an unknown token with status 401 on every path', async () => {
    for (const path of ['/_bulk', '/', '/_license', '/_search']) {
      const response = await call(path, {
        method: path === '/_bulk' ? 'POST' : 'GET',
        headers: { authorization: 'Bearer nobody' },
      });
      expect(response.status).toBe(401);
    }
  });
});

describe('Elasticsearch endpoints that shippers call before _bulk', () => {
  it.each([
    ['GET', '/', { version: { number: expect.stringMatching(/^8\./) }, tagline: 'You Know, for Search' }],
    ['GET', '', { version: { build_flavor: 'default' } }],
    ['GET', '/_license', { license: { status: 'active', type: 'basic' } }],
    ['GET', '/_xpack', { license: { mode: 'basic' } }],
    ['GET', '/_cluster/health?wait_for_status=yellow', { status: 'green' }],
    ['GET', '/_ilm/policy/filebeat', {}],
    ['PUT', '/_ilm/policy/filebeat', { acknowledged: true }],
    ['PUT', '/_index_template/logstash', { acknowledged: true }],
    ['PUT', '/_data_stream/filebeat-8.19.0', { acknowledged: true }],
    ['GET', '/_ingest/pipeline', {}],
    ['GET', '/app/_refresh', { _shards: { failed: 0 } }],
    ['POST', '/_refresh', { _shards: { failed: 0 } }],
  ])('respond to %s %s with status 200', async (method, path, expected) => {
    const response = await call(path, { method });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-elastic-product')).toBe('Elasticsearch');
    expect(await response.json()).toMatchObject(expected);
  });

  it('respond to GET /_cat/health in columns', async () => {
    const response = await call('/_cat/health');
    expect(await response.text()).toBe(`${NOW / 1000} 09:00:00 logclient green 1 1 1 1 0 0 0 0 - 100.0%\n`);
  });

  it.each(['/', '/_template/logstash', '/_alias/filebeat', '/_index_template/x'])(
    'respond to HEAD %s with status 200',
    async (path) => {
      const response = await call(path, { method: 'HEAD' });
      expect(response.status).toBe(200);
      expect(response.headers.get('x-elastic-product')).toBe('Elasticsearch');
    },
  );

  it('return 404 with the supported API for other requests', async () => {
    const response = await call('/logs/_search', { method: 'POST', body: '{}' });
    expect(response.status).toBe(404);
    expect(response.headers.get('x-elastic-product')).toBe('Elasticsearch');
    expect(await response.text()).toContain('supports only the bulk API of Elasticsearch');
  });
});
