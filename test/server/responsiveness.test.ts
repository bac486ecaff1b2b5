import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { useFewSearchSteps } from '../helpers/few-search-steps.ts';
import { lawCases } from '../helpers/laws.ts';
import { answeredDuring } from './answered-during.ts';
import { createJob, ingest, poll, post, runJob, stream } from './query-calls.ts';

let server: LocalServer;
let warnings: string[];
beforeEach(async () => {
  warnings = [];
  server = await startLocalServer({ onWarning: (message) => warnings.push(message) });
});
afterEach(() => server.close());

const UNDECIDED =
  /The result is incomplete: the regular expression \/\^\(a\|aa\)\+\\1\[xy\]\/ needs too many steps for \d values?\./;
const HOSTILE = 'text=/^(a|aa)+\\1[xy]/';

describe('A regular expression that needs too many steps for a value', () => {
  useFewSearchSteps();
  beforeEach(() =>
    ingest(server, [
      { timestamp: Date.now(), attributes: { text: 'a'.repeat(5000) } },
      { timestamp: Date.now(), attributes: { text: 'aax' } },
    ]),
  );

  it.each([HOSTILE, `not ${HOSTILE}`, `${HOSTILE} | groupBy(text)`, `${HOSTILE} or nope=1`])(
    'leaves a query job running, with a warning: %s',
    async (query) => {
      const { cancelled, done, events, metaData } = await runJob(server, query);
      const texts = query.startsWith('not') ? [] : ['aax'];
      expect({ cancelled, done }).toEqual({ cancelled: false, done: true });
      expect(events.map(({ text }) => text)).toEqual(texts);
      expect(metaData.warnings).toEqual([expect.stringMatching(UNDECIDED)]);
    },
  );

  it.each([{ queryString: HOSTILE }, { queryString: `${HOSTILE} | tail(5)` }])(
    'is reported by the server for a streaming query, which has no place for it: $queryString',
    async ({ queryString }) => {
      expect((await stream(server, queryString)).map(({ text }) => text)).toEqual(['aax']);
      expect(warnings).toEqual([expect.stringMatching(UNDECIDED)]);
    },
  );

  it('is reported once for a live stream', async () => {
    const ending = new AbortController();
    const response = await post(
      server,
      'repositories/sandbox/query',
      JSON.stringify({ queryString: HOSTILE, isLive: true }),
      {
        signal: ending.signal,
      },
    );
    expect(response.status).toBe(200);
    await ingest(server, [{ timestamp: Date.now(), attributes: { text: 'a'.repeat(5000) } }]);
    await vi.waitFor(() => expect(warnings).toEqual([expect.stringMatching(UNDECIDED)]));
    ending.abort();
  });

  it('lets other requests run while a query has many such values', async () => {
    const timestamp = Date.now();
    await ingest(
      server,
      Array.from({ length: 40 }, (_, n) => ({ timestamp, attributes: { text: 'a'.repeat(4000 + n) } })),
    );
    expect(await answeredDuring(() => runJob(server, `${HOSTILE} | count()`), server, 5)).toBeGreaterThan(5);
  });
});

it('the server responds to other requests while it ingests a large one', async () => {
  await using portless = await startLocalServer({ listen: false });
  const attributes = { level: 'info', http: { status: 200, path: '/a/b' } };
  const events = Array.from({ length: 5_000 }, (_, n) => ({
    timestamp: n + 1,
    attributes: { n, ...attributes },
  }));
  const body = JSON.stringify([{ events }]);
  const ingesting = (): Promise<unknown> =>
    post(portless, 'ingest/humio-structured', body, { token: portless.ingestToken });
  expect(await answeredDuring(ingesting, portless, 5)).toBeGreaterThan(10);
  expect(portless.inspect.store().events).toBe(5_000);
});

describe('The server responds to other requests while a parser drops', () => {
  const line = 'level=info '.repeat(20);
  const objects = (object: object): string =>
    Array.from({ length: 1_000 }, () => JSON.stringify(object)).join('\n');
  const requests = [
    ['lines', 'ingest/hec/raw', `${line}\n`.repeat(1_000)],
    ['messages', 'ingest/humio-unstructured', JSON.stringify([{ messages: Array(1_000).fill(line) }])],
    ['objects', 'ingest/json', JSON.stringify(Array(1_000).fill({ line }))],
    ['HEC events', 'ingest/hec', objects({ event: line })],
    [
      'documents',
      'ingest/elastic-bulk/_bulk',
      objects({ '@timestamp': 1, line }).replaceAll(/^/gm, '{"create":{}}\n'),
    ],
    [
      'structured events',
      'ingest/humio-structured',
      JSON.stringify([{ events: Array(1_000).fill({ timestamp: 1, attributes: { line } }) }]),
    ],
  ] as const;

  it.each(lawCases(requests, 1))('all %s of a request', async (_, path, body) => {
    await using portless = await startLocalServer({ listen: false });
    const { fetch, url, userToken, ingestToken: token } = portless;
    const query = `mutation {
      createParserV2(input: {name: "errors", repositoryName: "sandbox", script: "kvParse() | level=error",
        testCases: [], fieldsToTag: [], fieldsToBeRemovedBeforeParsing: [], allowOverwritingExistingParser: false}) { id }
      assignParserToIngestTokenV2(input: {repositoryName: "sandbox", tokenName: "default", parser: "errors"}) { name }
    }`;
    const headers = { authorization: `Bearer ${userToken}`, 'content-type': 'application/json' };
    const assigned = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    expect(await assigned.json()).not.toHaveProperty('errors');
    const ingesting = async (): Promise<void> =>
      expect((await post(portless, path, body, { token })).status).toBe(200);
    expect(await answeredDuring(ingesting, portless, 5)).toBeGreaterThan(100);
    expect(portless.inspect.store().events).toBe(0);
  });
});

it('the server responds to other requests while it reads fields of many events for the first time', async () => {
  await using portless = await startLocalServer({ listen: false });
  const event = (n: number): Record<string, unknown> => ({
    timestamp: Date.now() - 1000,
    attributes: { a: n % 7, b: n % 9, c: n % 11, d: n, e: n % 100 },
  });
  await ingest(
    portless,
    Array.from({ length: 10_000 }, (_, n) => event(n)),
  );
  const querying = (): Promise<unknown> => stream(portless, 'groupBy([a, b, c], function=[sum(d), max(e)])');
  expect(await answeredDuring(querying, portless, 0.2)).toBeGreaterThan(10);
});

it('a poll during an evaluation of a live job gets the result of the next evaluation', async () => {
  const live = await startLocalServer({ listen: false, now: Date.now() });
  const event = { timestamp: live.clock.now(), attributes: { text: 'abc '.repeat(50) } };
  await ingest(
    live,
    Array.from({ length: 5000 }, () => event),
  );
  const id = await createJob(live, 'replace("[a-z]", with="x", field=text) | count()', { isLive: true });
  while (!(await poll(live, id)).done);
  await ingest(live, [event]);
  const early = poll(live, id);
  await ingest(live, [event]);
  const late = poll(live, id);
  await new Promise((resolve) => setImmediate(resolve));
  // A slow evaluation starts long after the poll that requests it.
  live.clock.advance(5000);
  expect((await early).events).toEqual([{ _count: '5001' }]);
  expect((await late).events).toEqual([{ _count: '5002' }]);
  await live.close();
});
