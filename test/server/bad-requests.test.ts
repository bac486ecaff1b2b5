import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { callJob, ingest, post } from './query-calls.ts';
import { callRest, postGraphql } from './service-calls.ts';

let server: LocalServer;
const warnings: string[] = [];
beforeAll(async () => {
  server = await startLocalServer({
    maxRequestBytes: 100_000,
    onWarning: (message) => warnings.push(message),
  });
  await ingest(server, [{ timestamp: Date.now(), attributes: { kept: 'yes' } }]);
});
afterAll(() => server.close());

/** Stored events stay, no event of a rejected request is stored, and the server reports no failure of its own. */
async function expectUnharmed(): Promise<void> {
  expect(server.inspect.events()).toMatchObject([{ kept: 'yes' }]);
  expect(warnings).toEqual([]);
  const created = await post(server, 'repositories/sandbox/queryjobs', '{"queryString":"count()"}');
  expect(created.status).toBe(200);
}

const MALFORMED = 'The request content was malformed:\n';
const TIMESTAMP =
  'must be epoch milliseconds or an ISO 8601 string with an offset ("2026-02-03T10:00:00.123Z")';
const good = { timestamp: 1, attributes: {} };

function deep(levels: number): string {
  return `[{"events":[{"timestamp":1,"attributes":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}]}]`;
}

describe('Invalid ingest requests', () => {
  it.each([
    [
      'text that is no JSON',
      '[{"events": [}',
      expect.stringMatching(/^The request content was malformed:\n.+/),
    ],
    ['nothing at all', '', expect.stringMatching(/^The request content was malformed:\n.+/)],
    ['an object', '{}', `${MALFORMED}The request must be an array (got an object).`],
    ['a group that is none', '[1]', `${MALFORMED}[0] must be an object (got a number).`],
    ['a group without events', '[{"tags":{}}]', `${MALFORMED}[0].events must be an array (got nothing).`],
    [
      'a tag that is no text',
      '[{"tags":{"a":1.0},"events":[]}]',
      `${MALFORMED}[0].tags.a must be a string (got a number).`,
    ],
    [
      'an event without a time',
      JSON.stringify([{ events: [good] }, { events: [good, { attributes: {} }] }]),
      `${MALFORMED}[1].events[1].timestamp ${TIMESTAMP} (got nothing).`,
    ],
    [
      'a time without an offset',
      JSON.stringify([{ events: [{ timestamp: '2026-02-03T10:00:00' }] }]),
      `${MALFORMED}[0].events[0].timestamp ${TIMESTAMP} (got a string in another format).`,
    ],
    [
      'a day that does not exist',
      JSON.stringify([{ events: [{ timestamp: '2026-02-31T10:00:00Z' }] }]),
      `${MALFORMED}[0].events[0].timestamp ${TIMESTAMP} (got a string in another format).`,
    ],
    [
      'an offset that no zone has',
      JSON.stringify([{ events: [{ timestamp: '2026-02-03T10:00:00+19:00' }] }]),
      `${MALFORMED}[0].events[0].timestamp ${TIMESTAMP} (got a string in another format).`,
    ],
    [
      'a time out of range',
      JSON.stringify([{ events: [{ timestamp: 1e300 }] }]),
      `${MALFORMED}[0].events[0].timestamp ${TIMESTAMP} (got a number out of range).`,
    ],
    [
      'attributes that are an array',
      JSON.stringify([{ events: [{ timestamp: 1, attributes: [] }] }]),
      `${MALFORMED}[0].events[0].attributes must be an object (got an array).`,
    ],
    [
      'a rawstring that is none',
      JSON.stringify([{ events: [{ timestamp: 1, rawstring: 5 }] }]),
      `${MALFORMED}[0].events[0].rawstring must be a string (got a number).`,
    ],
    ['endless nesting', deep(5000), `${MALFORMED}[0].events[0].attributes is nested deeper than 200 levels.`],
  ])('get a 400 from humio-structured and store no event: %s', async (_, body, text) => {
    const response = await post(server, 'ingest/humio-structured', body, { token: server.ingestToken });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    expect(await response.text()).toEqual(text);
    await expectUnharmed();
  });

  it.each([
    [
      'messages that are none',
      '[{"messages":["ok", 7]}]',
      '[0].messages[1] must be a string (got a number).',
    ],
    [
      'fields that are no text',
      '[{"messages":["ok"],"fields":{"a":{}}}]',
      '[0].fields.a must be a string (got an object).',
    ],
    ['a type that is none', '[{"messages":["ok"],"type":[]}]', '[0].type must be a string (got an array).'],
  ])('get a 400 from humio-unstructured and store no event: %s', async (_, body, problem) => {
    const response = await post(server, 'ingest/humio-unstructured', body, { token: server.ingestToken });
    expect([response.status, await response.text()]).toEqual([400, `${MALFORMED}${problem}`]);
    await expectUnharmed();
  });

  it.each([
    ['an empty body', ' \n', `${MALFORMED}The body is empty.`],
    [
      'a compressed body without a header',
      gzipSync('hello'),
      'The body is compressed: send the header "Content-Encoding: gzip".',
    ],
  ])('get a 400 from raw and store no event: %s', async (_, body, text) => {
    const response = await post(server, 'ingest/raw', body, { token: server.ingestToken });
    expect([response.status, await response.text()]).toEqual([400, text]);
    await expectUnharmed();
  });

  it('get a 413 if the body is larger than maxRequestBytes', async () => {
    const body = JSON.stringify([{ events: [{ timestamp: 1, rawstring: 'x'.repeat(500_000) }] }]);
    const response = await post(server, 'ingest/humio-structured', body, { token: server.ingestToken });
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('larger than 100000 bytes');
    await expectUnharmed();
  });

  it('get a 413 without full decompression if the decompressed body is too large', async () => {
    const bomb = gzipSync(Buffer.alloc(60_000_000));
    expect(bomb.byteLength).toBeLessThan(100_000);
    const before = process.memoryUsage().arrayBuffers;
    const response = await post(server, 'ingest/raw', bomb, {
      token: server.ingestToken,
      headers: { 'content-encoding': 'gzip' },
    });
    expect(response.status).toBe(413);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    await expectUnharmed();
  });

  it.each([
    [
      'damaged',
      new Uint8Array([1, 2, 3]),
      'gzip',
      "The request's encoding is corrupt: incorrect header check",
    ],
    [
      'cut off',
      gzipSync('hello').subarray(0, 15),
      'gzip',
      "The request's encoding is corrupt: unexpected end of file",
    ],
    [
      'of another kind',
      gzipSync('hello'),
      'zstd',
      "The request's Content-Encoding is not supported. Expected:\ngzip",
    ],
  ])('get a 400 if their compression is %s', async (_, body, encoding, text) => {
    const response = await post(server, 'ingest/raw', body, {
      token: server.ingestToken,
      headers: { 'content-encoding': encoding },
    });
    expect([response.status, await response.text()]).toEqual([400, text]);
    await expectUnharmed();
  });
});

describe('Authentication', () => {
  const MISSING = 'The resource requires authentication, which was not supplied with the request';
  const INVALID = 'The supplied authentication is invalid';

  it.each([
    ['no token', '', MISSING],
    ['an unknown token', 'Bearer nobody', INVALID],
    ['an empty token', 'Bearer ', INVALID],
    ['an unknown scheme', 'Digest abc', INVALID],
    ['a broken Basic', 'Basic !!!', INVALID],
  ])('%s gets a 401 from ingest, query and query job endpoints', async (_, authorization, text) => {
    for (const path of [
      'ingest/humio-structured',
      'repositories/sandbox/query',
      'repositories/sandbox/queryjobs',
    ]) {
      const response = await post(server, path, '[]', { headers: { authorization } });
      expect([response.status, await response.text()]).toEqual([401, text]);
    }
    await expectUnharmed();
  });

  it('an ingest token gets a 403 for queries, users and GraphQL', async () => {
    const { ingestToken: token } = server;
    const answers = [
      await post(server, 'repositories/sandbox/query', '{"queryString":""}', { token }),
      await post(server, 'repositories/sandbox/queryjobs', '{"queryString":""}', { token }),
      await callRest({ ...server, userToken: token }, 'users'),
      await postGraphql(server, { query: '{ users { id } }' }, token),
    ];
    for (const response of answers) {
      expect([response.status, await response.text()]).toEqual([
        403,
        'The supplied authentication is not authorized to access this resource',
      ]);
    }
  });

  it('an ingest token gets a 403 for another repository', async () => {
    await postGraphql(server, {
      query: 'mutation { createRepository(name: "other") { repository { name } } }',
    });
    const response = await post(server, 'repositories/other/ingest', '[]', { token: server.ingestToken });
    expect(response.status).toBe(403);
  });
});

describe('Invalid queries', () => {
  it.each([
    ['no query string', '{}', `${MALFORMED}Object is missing required member 'queryString', a string.`],
    [
      'a query string that is none',
      '{"queryString": 5}',
      `${MALFORMED}Object is missing required member 'queryString', a string.`,
    ],
    ['a body that is no object', '[]', `${MALFORMED}Expected a JSON object.`],
    [
      'a time that is none',
      '{"queryString":"","start":"soon"}',
      expect.stringContaining('"soon" is not a time'),
    ],
    [
      'a time that no date can hold',
      '{"queryString":"timeChart()","end":1e300,"timeZone":"Europe/Copenhagen"}',
      expect.stringContaining('1e+300 is not a time'),
    ],
    [
      'a start after the end',
      '{"queryString":"","start":2000,"end":1000}',
      'The start of the query is after its end.',
    ],
    [
      'a zone that is none',
      '{"queryString":"","timeZone":"Atlantis"}',
      expect.stringContaining("'timeZone'"),
    ],
    [
      'an argument that is no text',
      '{"queryString":"","arguments":{"a":1}}',
      `${MALFORMED}Member 'arguments.a' must be a string.`,
    ],
    [
      'a live query of the past',
      '{"queryString":"","isLive":true,"start":1000}',
      expect.stringContaining('relative'),
    ],
    [
      'a live query with an end',
      '{"queryString":"","isLive":true,"end":"1h"}',
      "A live query always ends now: omit 'end'.",
    ],
    [
      'an anchored live query',
      '{"queryString":"","isLive":true,"start":"now@d"}',
      expect.stringContaining('relative'),
    ],
    [
      'a very long query',
      JSON.stringify({ queryString: 'a'.repeat(66_001) }),
      'The query is longer than 66000 characters.',
    ],
    [
      'a flag that is none',
      '{"queryString":"","isLive":"yes"}',
      `${MALFORMED}Member 'isLive' must be true or false.`,
    ],
  ])('get a 400 as a query job and as a streaming query: %s', async (_, body, text) => {
    for (const path of ['repositories/sandbox/queryjobs', 'repositories/sandbox/query']) {
      const response = await post(server, path, body);
      expect([response.status, await response.text()]).toEqual([400, text]);
    }
    await expectUnharmed();
  });

  it('get the message and a code fence that marks the position', async () => {
    const response = await post(
      server,
      'repositories/sandbox/queryjobs',
      JSON.stringify({ queryString: 'level=error\n| nosuch()' }),
    );
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    const [message, fence, line, caret, end, ...rest] = (await response.text()).split('\n');
    expect(message).toContain('nosuch');
    expect([fence, line, end, rest]).toEqual(['```', '2 | | nosuch()', '```', []]);
    expect(caret).toMatch(/^ {2}\| {3}\^+$/);
  });

  it.each([
    ['application/json', true],
    ['text/html, application/json;q=0.9', true],
    ['*/*', false],
    ['text/plain', false],
    ['application/x-ndjson', false],
  ])('get the same message as JSON only if Accept names application/json: %s', async (accept, isJson) => {
    const body = JSON.stringify({ queryString: 'nosuch()' });
    const send = (headers: Record<string, string>) =>
      post(server, 'repositories/sandbox/queryjobs', body, { headers });
    const text = await (await send({ accept: 'text/plain' })).text();
    const response = await send({ accept });
    expect([response.status, await response.text()]).toEqual([
      400,
      isJson ? JSON.stringify({ detail: text }) : text,
    ]);
  });

  it('with live aggregates are rejected on the streaming path only', async () => {
    const body = '{"queryString":"count()","isLive":true}';
    const refused = await post(server, 'repositories/sandbox/query', body);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      'A live query with an aggregate function can only run as a query job.',
    ]);
    expect((await post(server, 'repositories/sandbox/queryjobs', body)).status).toBe(200);
  });

  it('get a 404 if the job or repository is unknown', async () => {
    for (const response of [
      await callJob(server, '1-nosuch'),
      await callJob(server, '1-nosuch', 'DELETE'),
      await post(server, 'repositories/nosuch/query', '{"queryString":""}'),
      await post(server, 'repositories/nosuch/queryjobs', '{"queryString":""}'),
      await post(server, 'repositories/nosuch/ingest', '[]'),
      await post(server, 'repositories/..%2f..%2fetc/ingest', '[]'),
    ]) {
      expect(response.status).toBe(404);
      expect(await response.text()).toMatch(/^The requested resource could not be found\./);
    }
  });
});

describe('Unknown routes', () => {
  it('get a 404 that lists the endpoints', async () => {
    const response = await callRest(server, 'nosuch');
    expect(response.status).toBe(404);
    const text = await response.text();
    expect(text).toContain('POST /api/v1/ingest/humio-structured\n');
    expect(text).toContain('/api/v1/{dataspaces|repositories}/{repository}/queryjobs/{id}');
  });

  it('get a 405 with the supported methods if the path exists', async () => {
    const response = await callRest(server, 'repositories/sandbox/queryjobs/1-x', { method: 'PUT' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('DELETE, GET');
    expect(await response.text()).toBe('HTTP method not allowed, supported methods: DELETE, GET');
  });
});
