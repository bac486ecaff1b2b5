import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCAL_OPERATIONS, PAGE_OPERATIONS } from '../../src/core/wire/page-operations.ts';
import { type Fields, useHashing } from '../../src/engine/index.ts';
import { FUNCTION_GROUPS } from '../../src/language/functions/docs/index.ts';
import { openBrowserServer } from '../../src/server/browser/browser-server.ts';
import { nobleHashing } from '../../src/server/browser/noble-hashing.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { EXAMPLE_EVENTS } from '../engine/example-events.ts';
import { SAMPLE_EVENTS, SAMPLE_FILES } from '../engine/sample-data.ts';
import { lawCases } from '../helpers/laws.ts';

const NOW = Date.UTC(2026, 2, 2, 10);

/** Sends a request to a server of either kind. */
type Send = (method: string, path: string, body?: object) => Promise<Response>;

/** Functions whose rows depend on the time or on chance. */
const VARYING = ['now', 'sample', 'eventInternals'];

/** Hashes are computed by other code. */
const HASHING = /crypto|[hH]ash/;

const EXAMPLES = [
  ...FUNCTION_GROUPS.flatMap(({ functions }) =>
    Object.entries(functions).map(([name, { example }]) => ({
      repository: repositoryOf(name),
      query: example,
    })),
  ).filter(({ query }) => !VARYING.some((name) => query.includes(`${name}(`))),
];

const QUERIES = [
  ...EXAMPLES.filter(({ query }) => HASHING.test(query)),
  ...lawCases(
    EXAMPLES.filter(({ query }) => !HASHING.test(query)),
    50,
  ),
  ...[
    '*',
    'error',
    'level=error OR status>=500',
    'NOT level=info',
    '/pay\\w+/i',
    'groupBy([service, level])',
    'groupBy(service, function=[count(), avg(ms), max(ms)]) | sort(_avg)',
    'timeChart(span=1m, series=level)',
    'top(user, limit=2)',
    'head(3) | select([@timestamp, service])',
    'case { level=error | kind := "bad"; * | kind := "good" } | groupBy(kind)',
    'ms > 100 | ms := ms / 1000 | round(ms)',
    'x := crypto:sha256(service) | y := crypto:md5(service) | z := crypto:sha1(service) | table([x, y, z])',
    'hashRewrite(service, salt=pepper) | groupBy(service)',
    'format("%s: %d", field=[service, ms])',
    'base64Encode(service) | base64Decode(_base64Encode)',
    'groupBy(service) | groupBy(',
    'noSuchFunction()',
    'level=error |',
    'regex("(", field=msg)',
  ].map((query) => ({ repository: 'sandbox', query })),
];

function repositoryOf(name: string): string {
  return EXAMPLE_EVENTS[name] === undefined ? 'sandbox' : name.replace(/\W/g, '-');
}

const DATA: readonly (readonly [string, readonly Fields[]])[] = [
  ['sandbox', SAMPLE_EVENTS],
  ...Object.entries(EXAMPLE_EVENTS).map(([name, events]) => [repositoryOf(name), events] as const),
];

async function fill(send: Send): Promise<void> {
  for (const [repository, events] of DATA) {
    if (events.length === 0) continue;
    const structured = events.map((event, index) => ({
      timestamp: Number(event['@timestamp'] ?? NOW - 60_000 + index),
      attributes: Object.fromEntries(Object.entries(event).filter(([name]) => !/^[@#]/.test(name))),
      rawstring: event['@rawstring'],
    }));
    const body = [{ tags: { service: 'test' }, events: structured }];
    expect((await send('POST', `api/v1/repositories/${repository}/ingest`, body)).status).toBe(200);
  }
}

/** Status and rows, or the error, without what is random. */
async function outcome(send: Send, repository: string, queryString: string): Promise<unknown> {
  const path = `api/v1/repositories/${repository}/queryjobs`;
  const created = await send('POST', path, { queryString, start: 0, end: NOW });
  if (created.status !== 200) return [created.status, await created.text()];
  const { id } = (await created.json()) as { id: string };
  for (;;) {
    const job = (await (await send('GET', `${path}/${id}`)).json()) as JobAnswer;
    if (!job.done) continue;
    const rows = job.events.map(({ '@id': _id, '@ingesttimestamp': _arrival, ...row }) => row);
    return { rows, warnings: job.warnings, fields: job.metaData.fieldOrder, text: job.metaData.isAggregate };
  }
}

interface JobAnswer {
  readonly done: boolean;
  readonly events: readonly Fields[];
  readonly warnings: unknown;
  readonly metaData: { readonly fieldOrder: unknown; readonly isAggregate: unknown };
}

async function openReal(): Promise<Send> {
  const repositories = DATA.map(([name]) => name).filter((name) => name !== 'sandbox');
  const server = await startLocalServer({ now: NOW, repositories });
  afterAll(() => server.close());
  const file = await fileForm();
  for (const body of file) {
    await fetch(`${server.url}/api/v1/repositories/sandbox/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.userToken}` },
      body,
    });
  }
  return (method, path, body) =>
    fetch(`${server.url}/${path}`, {
      method,
      headers: { authorization: `Bearer ${server.userToken}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
}

async function fileForm(): Promise<FormData[]> {
  return Object.entries(SAMPLE_FILES).map(([name, content]) => {
    const form = new FormData();
    form.set('file', new Blob([String(content)]), name);
    return form;
  });
}

async function openInPage(): Promise<Send> {
  const repositories = Object.fromEntries(DATA.map(([name]) => [name, []]));
  const files = Object.fromEntries(
    Object.entries(SAMPLE_FILES).map(([name, lines]) => [name, String(lines)]),
  );
  const server = openBrowserServer({ repositories, files, now: NOW });
  return (method, path, body) => {
    const request = new Request(`http://localhost/${path}`, { method });
    return server.respond(request, JSON.stringify(body));
  };
}

describe('A server in a page', () => {
  let expected: unknown[];
  let inPage: Send;
  beforeAll(async () => {
    const real = await openReal();
    await fill(real);
    expected = [];
    for (const { repository, query } of QUERIES) expected.push(await outcome(real, repository, query));
    useHashing(nobleHashing);
    inPage = await openInPage();
    await fill(inPage);
  }, 120_000);

  it('returns the rows and errors of a real server', async () => {
    expect(EXAMPLES.length).toBeGreaterThan(180);
    const own: unknown[] = [];
    for (const { repository, query } of QUERIES) own.push(await outcome(inPage, repository, query));
    for (const [index, { query }] of QUERIES.entries())
      expect([query, own[index]]).toEqual([query, expected[index]]);
    expect(own.filter((result) => (result as { rows?: unknown[] }).rows?.length).length).toBeGreaterThan(
      QUERIES.length * 0.75,
    );
  });

  it('has the operations of the page', async () => {
    const graphql = async (query: string, variables: object = {}): Promise<unknown> =>
      (await inPage('POST', 'graphql', { query, variables })).json();
    const name = 'sandbox';
    const { data } = (await graphql(PAGE_OPERATIONS.searchDomains)) as { data: { searchDomains: object[] } };
    expect(data.searchDomains[0]).toEqual({ __typename: 'Repository', name });
    const query = {
      viewName: name,
      name: 'errors',
      queryString: 'level=error',
      options: '{"logclient":"x"}',
    };
    await graphql(PAGE_OPERATIONS.createSavedQuery, { input: query });
    const saved = (await graphql(PAGE_OPERATIONS.savedQueries, { name })) as {
      data: { searchDomain: { savedQueries: { id: string }[] } };
    };
    expect(saved.data.searchDomain.savedQueries).toMatchObject([
      { name: 'errors', options: { logclient: 'x' }, query: { queryString: 'level=error' } },
    ]);
    const { id } = saved.data.searchDomain.savedQueries[0]!;
    expect(await graphql(PAGE_OPERATIONS.deleteSavedQuery, { input: { viewName: name, id } })).toEqual({
      data: { deleteSavedQuery: { result: true } },
    });
    expect(await graphql('{ users { id } }')).toMatchObject({ errors: [{ message: expect.any(String) }] });
    expect(await graphql(LOCAL_OPERATIONS.repositorySize, { name })).toEqual({
      data: { repository: { uncompressedByteSize: expect.any(Number) } },
    });
  });

  it('has no routes of shippers and users', async () => {
    for (const path of ['v1/logs', 'services/collector', 'api/v1/users', 'api/v1/ingest/elastic-bulk']) {
      expect([path, (await inPage('POST', path, {})).status]).toEqual([path, 404]);
    }
  });
});
