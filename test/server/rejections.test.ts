import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, type Rejection, startLocalServer } from '../../src/server/index.ts';
import { cases } from '../helpers/laws.ts';

const NOW = Date.UTC(2026, 1, 3, 9);

let server: LocalServer;
beforeEach(async () => {
  await server?.close();
  server = await startLocalServer({ now: NOW, maxEventBytes: 2000, maxRequestBytes: 20_000 });
});
afterAll(() => server.close());

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request with the ingest token, as a program called `shop/1.0`. */
async function send({
  method = 'POST',
  path,
  token = server.ingestToken,
  body,
  headers,
}: Sent): Promise<number> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      'user-agent': 'shop/1.0',
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

const STRUCTURED = '/api/v1/ingest/humio-structured';
const structured = (...events: object[]): object[] => [{ tags: { service: 'shop' }, events }];
const lines = (type: string, ...messages: string[]): Sent => ({
  path: '/api/v1/ingest/humio-unstructured',
  body: [{ type, messages }],
});
const bulk = (...documents: string[]): string =>
  documents.map((document) => `{"create":{}}\n${document}\n`).join('');
const total = (rejections: readonly Rejection[]): number =>
  rejections.reduce((sum, { count }) => sum + count, 0);

describe('Rejections', () => {
  it.each<[string, () => Sent, Partial<Rejection>]>([
    [
      'a request without a token',
      () => ({ path: STRUCTURED, token: null, body: [] }),
      {
        client: 'shop/1.0',
        token: 'no token',
        method: 'POST',
        path: STRUCTURED,
        status: 401,
        reason: 'The resource requires authentication, which was not supplied with the request',
        fix: 'Send the header "Authorization: Bearer <token>".',
        count: 1,
        firstTime: NOW,
        lastTime: NOW,
      },
    ],
    [
      'an unknown token',
      () => ({ path: STRUCTURED, token: 'of-yesterday', body: [] }),
      { token: 'unknown token', status: 401, reason: 'The supplied authentication is invalid' },
    ],
    [
      'a query with an ingest token',
      () => ({ path: `/api/v1/repositories/${server.repository}/query`, body: { queryString: '*' } }),
      { token: 'ingest token "default" of sandbox', status: 403 },
    ],
    [
      'an unknown path',
      () => ({ path: '/api/v1/ingest/nosuch', body: {} }),
      { status: 404, reason: 'There is no POST /api/v1/ingest/nosuch.' },
    ],
    [
      'an unknown repository',
      () => ({ path: '/api/v1/repositories/nosuch/ingest', token: server.userToken, body: [] }),
      { token: 'user token', status: 404, reason: expect.stringContaining('no repository with this name') },
    ],
    ['a method that a path lacks', () => ({ method: 'DELETE', path: STRUCTURED }), { status: 405 }],
    ['a body that is too large', () => ({ path: STRUCTURED, body: 'x'.repeat(30_000) }), { status: 413 }],
    [
      'an invalid structured event',
      () => ({
        path: STRUCTURED,
        body: structured(
          { timestamp: NOW, attributes: { n: 1 } },
          { timestamp: 'today', attributes: { n: 2 } },
        ),
      }),
      {
        status: 400,
        reason: expect.stringContaining('[0].events[1].timestamp must be epoch milliseconds'),
        excerpt: '{"timestamp":"today","attributes":{"n":2}}',
      },
    ],
    [
      'an invalid HEC event',
      () => ({ path: '/services/collector', body: '{"event":"one"}{"event":"two","time":"today"}' }),
      {
        status: 400,
        reason: 'object 1.time must be epoch seconds.',
        excerpt: '{"event":"two","time":"today"}',
      },
    ],
    [
      'an invalid JSON event',
      () => ({ path: '/api/v1/ingest/json', body: [{ n: 1 }, 2] }),
      { status: 400, reason: '[1] must be an object (got a number).', excerpt: '2' },
    ],
    [
      'a body that is not JSON',
      () => ({ path: '/api/v1/ingest/json', body: 'level=info hello' }),
      { status: 400, excerpt: 'level=info hello' },
    ],
    [
      'an invalid query',
      () => ({
        path: `/api/v1/repositories/${server.repository}/queryjobs`,
        token: server.userToken,
        body: { queryString: 'count(' },
      }),
      { status: 400, reason: expect.stringMatching(/^Expected/) },
    ],
    [
      'a GraphQL error',
      () => ({ path: '/graphql', token: server.userToken, body: { query: '{ nosuch }' } }),
      { status: 200, reason: expect.stringContaining('Cannot query field "nosuch" on type "Query"') },
    ],
    [
      'a rejected document of a bulk request',
      () => ({
        path: '/api/v1/ingest/elastic-bulk/_bulk',
        body: bulk('{"@timestamp":"2026-02-03T09:00:00Z","n":1}', '{"n":2}', '{"n":3}'),
      }),
      {
        status: 400,
        reason: expect.stringMatching(/^The document must have a "@timestamp"/),
        excerpt: '{"n":2}',
        count: 2,
      },
    ],
    ['an empty body', () => ({ path: '/api/v1/ingest/json', body: '' }), { status: 400, excerpt: undefined }],
    [
      'an unsupported encoding',
      () => ({ path: STRUCTURED, body: [], headers: { 'content-encoding': 'zstd' } }),
      { status: 400, reason: "The request's Content-Encoding is not supported. Expected: gzip" },
    ],
    [
      'a request of OpenTelemetry with another Content-Type',
      () => ({ path: '/v1/traces', body: '', headers: { 'content-type': 'text/plain' } }),
      { status: 415, reason: expect.stringContaining('(got "text/plain")') },
    ],
    [
      'an event that is too large',
      () => ({
        path: STRUCTURED,
        body: structured({ timestamp: NOW, attributes: { text: 'x'.repeat(3000) } }),
      }),
      { status: 200, reason: 'The event is larger than 2000 bytes: stored without its fields.' },
    ],
    [
      'lines whose parser does not exist',
      () => lines('jsom', '{"n":1}', '{"n":2}'),
      {
        status: 200,
        reason: 'There is no parser "jsom". Did you mean "json"?',
        fix: expect.stringContaining('@error=true'),
        excerpt: '{"n":1}',
        count: 2,
      },
    ],
    [
      'a line that its parser cannot read',
      () => lines('json', '{"n":1}', '{"n":'),
      { status: 200, reason: 'The text is not JSON.', excerpt: '{"n":' },
    ],
  ])('are recorded for %s', async (_, request, expected) => {
    await send(request());
    expect(server.inspect.rejections()).toEqual([expect.objectContaining({ count: 1, ...expected })]);
  });

  it.each([
    ['seconds', STRUCTURED, structured({ timestamp: NOW / 1000, attributes: {} }), 1970],
    ['microseconds', STRUCTURED, structured({ timestamp: NOW * 1000, attributes: {} }), 58062],
    ['seconds', '/api/v1/ingest/json', { '@timestamp': NOW / 1000 }, 1970],
    ['seconds', '/api/v1/ingest/elastic-bulk/_bulk', bulk(`{"@timestamp":${NOW / 1000}}`), 1970],
    ['milliseconds', '/services/collector', { event: 'x', time: NOW }, 58062],
    ['milliseconds', '/api/v1/ingest/hec', { event: 'x', time: NOW }, 58062],
  ])(
    'are recorded for times in %s sent to %s, and the events are stored with these times',
    async (unit, path, body, year) => {
      expect(await send({ path, body })).toBe(200);
      expect(server.inspect.store().events).toBe(1);
      expect(server.inspect.rejections()).toEqual([
        expect.objectContaining({
          status: 200,
          count: 1,
          reason: expect.stringMatching(`^The time is in ${unit}, .* a time in the year ${year}\\.$`),
          excerpt: expect.any(String),
        }),
      ]);
    },
  );

  it('are not recorded for routine requests such as favicons, ended jobs and missing files', async () => {
    const { userToken: token, repository } = server;
    for (const request of [
      { method: 'GET', path: '/favicon.ico', token: null },
      { method: 'GET', path: '/.well-known/appspecific/com.chrome.devtools.json', token: null },
      { method: 'GET', path: `/api/v1/repositories/${repository}/queryjobs/ended`, token },
      { method: 'DELETE', path: `/api/v1/repositories/${repository}/queryjobs/ended`, token },
      { method: 'GET', path: `/api/v1/repositories/${repository}/files/nosuch.csv`, token },
      { path: '/graphql', token, body: { query: '{ repository(name: "nosuch") { name } }' } },
      {
        path: '/graphql',
        token,
        body: { query: 'mutation { createRepository(name: "sandbox") { repository { name } } }' },
      },
      // The web page shows its own errors.
      { path: STRUCTURED, token: 'stale', headers: { 'sec-fetch-site': 'same-origin' } },
    ])
      await send(request);
    expect(server.inspect.rejections()).toEqual([]);
  });

  it('are counted by client, token, path, status and reason, ignoring numbers in the reason', async () => {
    const invalid = (n: number): Sent => ({
      path: STRUCTURED,
      body: structured(...Array(n).fill({ timestamp: NOW }), { timestamp: null, n }),
    });
    for (const n of [0, 1, 20]) await send(invalid(n));
    await send({ ...invalid(3), headers: { 'user-agent': 'bank/2.0' } });
    await send({ ...invalid(3), token: 'stale' });
    expect(server.inspect.rejections().map(({ client, status, count }) => [client, status, count])).toEqual([
      ['shop/1.0', 400, 3],
      ['bank/2.0', 400, 1],
      ['shop/1.0', 401, 1],
    ]);
  });

  it('are counted by parse error for bodies that are not JSON, and by message for GraphQL errors', async () => {
    for (const body of ['level=info', 'level=warn', '{"level":"warn"} and more', '{"level":"error"} x'])
      await send({ path: '/api/v1/ingest/json', body });
    for (const field of ['alerts', 'actions'])
      await send({ path: '/graphql', token: server.userToken, body: { query: `{ ${field} }` } });
    expect(server.inspect.rejections().map(({ count }) => count)).toEqual([2, 2, 1, 1]);
  });

  it('leave the response unchanged and log a warning if onRejection throws', async () => {
    const warnings: string[] = [];
    const onRejection = (): void => {
      throw new Error('disk full');
    };
    await using own = await startLocalServer({ onRejection, onWarning: (text) => warnings.push(text) });
    const response = await fetch(`${own.url}${STRUCTURED}`, { method: 'POST' });
    expect(response.status).toBe(401);
    expect(warnings).toEqual(['onRejection failed: disk full']);
  });

  it('call onRejection once per cause', async () => {
    const calls: Rejection[] = [];
    await using own = await startLocalServer({ onRejection: (rejection) => calls.push(rejection) });
    for (let n = 0; n < 3; n++) await fetch(`${own.url}${STRUCTURED}`, { method: 'POST' });
    expect(calls).toEqual([expect.objectContaining({ status: 401, count: 1 })]);
    expect(own.inspect.rejections()).toEqual([expect.objectContaining({ count: 3 })]);
  });

  it('are events with exact totals in humio-activity and in no other view', async () => {
    const client = (repository: string) =>
      new LogClient({ baseUrl: server.url, repository, userToken: server.userToken });
    for (let n = 0; n < 50; n++) await send({ path: STRUCTURED, token: 'stale' });
    await send({ path: '/api/v1/ingest/nosuch' });
    const query =
      '#category=Rejection | groupBy([client, status], function=[selectLast(total), sum(count, as=n)])';
    await expect
      .poll(() => client('humio-activity').query(query, { start: NOW - 1000, end: NOW + 1000 }))
      .toEqual(
        expect.arrayContaining([
          { client: 'shop/1.0', status: '401', total: '50', n: '50' },
          { client: 'shop/1.0', status: '404', total: '1', n: '1' },
        ]),
      );
    expect(await client('humio-search-all').query('count()', { start: 0 })).toEqual([{ _count: '0' }]);
  });

  it('contain no token and at most 300 characters of a record', async () => {
    const { userToken, ingestToken } = server;
    await send({ path: `${STRUCTURED}?token=secret-query`, token: 'secret-header', body: [] });
    await send({ path: STRUCTURED, body: structured({ text: `${'y'.repeat(5000)}tail` }) });
    await send({ path: '/api/v1/ingest/nosuch', token: userToken });
    const [repository] = server.inspect
      .rejections()
      .map(({ excerpt = '' }) => excerpt)
      .filter(Boolean);
    expect(repository).toMatch(/^\{"text":"y{291}…$/);
    const text = JSON.stringify(server.inspect.rejections());
    for (const secret of [userToken, ingestToken, 'secret-header', 'secret-query'])
      expect(text).not.toContain(secret);
  });

  it('are kept for 1,000 causes, and all others are counted in one entry', async () => {
    for (let n = 0; n < 1100; n++) {
      await server.fetch(`${server.url}/api/v1/nosuch`, { headers: { 'user-agent': `client-${n}` } });
    }
    const rejections = server.inspect.rejections();
    expect(rejections).toHaveLength(1001);
    expect(rejections.at(-1)).toMatchObject({ count: 100, client: 'several' });
  });

  it('have counts that add up to the number of rejected requests and events', async () => {
    const valid = { timestamp: NOW, attributes: { n: 1 } };
    /** Requests, and the number of rejections that each of them causes. */
    const kinds: readonly (readonly [number, (amount: number) => Sent])[] = [
      [0, (amount) => ({ path: STRUCTURED, body: structured(...Array(amount).fill(valid)) })],
      [1, () => ({ path: STRUCTURED, token: 'stale' })],
      [1, (amount) => ({ path: STRUCTURED, body: structured(...Array(amount).fill(valid), {}) })],
      [1, (amount) => ({ path: `/api/v1/nosuch/${amount}` })],
      [2, () => ({ path: '/graphql', token: server.userToken, body: { query: '{ nosuch nothing }' } })],
      [0, () => ({ method: 'GET', path: '/favicon.ico' })],
    ];
    const perEvent: readonly ((amount: number) => Sent)[] = [
      (amount) => ({
        path: '/api/v1/ingest/elastic-bulk/_bulk',
        body: bulk(...Array(amount).fill('{}'), `{"@timestamp":${NOW}}`),
      }),
      (amount) => ({
        path: STRUCTURED,
        body: structured(valid, ...Array(amount).fill({ timestamp: NOW / 1000, attributes: {} })),
      }),
      (amount) => ({
        path: '/api/v1/ingest/json',
        body: Array(amount).fill({ text: 'x'.repeat(2500) }),
      }),
    ];
    const step = fc.record({
      kind: fc.nat(kinds.length + perEvent.length - 1),
      amount: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const before = total(server.inspect.rejections());
        let expected = 0;
        for (const { kind, amount } of steps) {
          const known = kinds[kind];
          expected += known?.[0] ?? amount;
          await send((known?.[1] ?? perEvent[kind - kinds.length]!)(amount));
        }
        expect(total(server.inspect.rejections()) - before).toBe(expected);
      }),
      cases(10),
    );
  });
});

it('a Next-Gen SIEM server records its rejections', async () => {
  await using ngsiem = await startLocalServer({ ngsiem: true });
  const post = (path: string, token: string, body: string): Promise<Response> =>
    fetch(`${ngsiem.url}${path}`, {
      method: 'POST',
      headers: { 'user-agent': 'shop/1.0', authorization: `Bearer ${token}` },
      body,
    });
  await post('/services/collector', ngsiem.hecToken, '{"event":"one","time":"today"}');
  await post('/humio/api/v1/repositories/search-all/queryjobs', 'stale', '{}');
  expect(ngsiem.inspect.rejections()).toEqual([
    expect.objectContaining({
      token: 'ingest token "default" of third-party',
      status: 400,
      reason: 'object 0.time must be epoch seconds.',
      excerpt: '{"event":"one","time":"today"}',
    }),
    expect.objectContaining({
      token: 'unknown token',
      status: 401,
      reason: 'access denied, invalid bearer token',
    }),
  ]);
});
