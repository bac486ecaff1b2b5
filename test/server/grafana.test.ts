import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalServer, type NgsiemServer, startLocalServer } from '../../src/server/index.ts';
import { type GoResponse, goJson, goRequest } from '../helpers/go-http.ts';
import { ingest } from './query-calls.ts';

// The requests of Grafana's data source for Falcon LogScale (grafana/falconlogscale-datasource 1.10,
// pkg/humio/client.go), and the responses that its Go types accept.

const USER_AGENT = 'Grafana/12.3.0 (Linux; amd64) grafana-falconlogscale-datasource/1.10.1 (Grafana plugin)';

/** Members of `metaData` by their Go type: encoding/json fails for a fraction or an exponent in an integer. */
const UNSIGNED = [
  'eventCount',
  'processedBytes',
  'processedEvents',
  'queryStart',
  'queryEnd',
  'resultBufferSize',
  'timeMillis',
  'totalWork',
  'workDone',
];

interface QueryResult {
  readonly done: boolean;
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly metaData: { readonly isAggregate: boolean; readonly pollAfter: number };
}

/** Decodes a poll like `QueryResult` of the plug-in; members that it reads are required. */
function decodeQueryResult(body: string): QueryResult {
  const result = JSON.parse(body);
  const { metaData } = result;
  expect([typeof result.cancelled, typeof result.done]).toEqual(['boolean', 'boolean']);
  expect(result.events.every(isObject)).toBe(true);
  expect(isObject(metaData)).toBe(true);
  expect(isObject(metaData.extraData)).toBe(true);
  expect(typeof metaData.isAggregate).toBe('boolean');
  expect((metaData.fieldOrder ?? []).every((name: unknown) => typeof name === 'string')).toBe(true);
  expect(body).toMatch(/"pollAfter":\d+[,}]/);
  for (const name of UNSIGNED) expect(body).toMatch(new RegExp(`"${name}":\\d+[,}]`));
  return result;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The plug-in's message for a response that is not 200. */
function shownError({ status, body }: GoResponse): string {
  const { detail } = JSON.parse(body) as { detail: unknown };
  expect(typeof detail).toBe('string');
  return `${status} ${String(detail).trim()}`;
}

/** The plug-in's client: `base` is the URL of the data source, with `/humio` in the mode NGSIEM. */
class DataSource {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(base: string, token: string) {
    this.#base = base;
    this.#headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
    };
  }

  async listRepositories(): Promise<string[]> {
    const body = goJson({ query: '{searchDomains{name}}' });
    const response = await goRequest('POST', `${this.#base}/graphql`, { headers: this.#headers, body });
    expect(response.status).toBe(200);
    const { data, ...rest } = JSON.parse(response.body);
    expect(rest).toEqual({});
    // The plug-in's GraphQL library fails for members that the query doesn't select.
    expect(Object.keys(data)).toEqual(['searchDomains']);
    for (const domain of data.searchDomains) expect(domain).toEqual({ name: expect.any(String) });
    return data.searchDomains.map(({ name }: { name: string }) => name);
  }

  createJob(repository: string, queryString: string, since = 3_600_000): Promise<GoResponse> {
    const end = Date.now() + 60_000;
    const times = { start: String(end - since), end: String(end) };
    const body = goJson({ queryString, ...times, isLive: false });
    return goRequest('POST', this.#jobs(repository), { headers: this.#headers, body });
  }

  /** Runs a query like a panel. */
  async run(repository: string, queryString: string): Promise<QueryResult> {
    const created = await this.createJob(repository, queryString);
    expect(created.status).toBe(200);
    const { id } = JSON.parse(created.body) as { id: string };
    expect(id).toMatch(/^\S+$/);
    const url = `${this.#jobs(repository)}/${id}`;
    let result: QueryResult;
    do {
      const poll = await goRequest('GET', url, { headers: this.#headers });
      expect(poll.status).toBe(200);
      result = decodeQueryResult(poll.body);
    } while (!result.done);
    const deleted = await goRequest('DELETE', url, { headers: this.#headers });
    expect([200, 204]).toContain(deleted.status);
    return result;
  }

  /** Starts a live query and returns its first event. */
  async firstLive(repository: string, queryString: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.#base}/api/v1/repositories/${repository}/query`, {
      method: 'POST',
      headers: { ...this.#headers, accept: 'application/x-ndjson' },
      body: goJson({ queryString, isLive: true }),
    });
    expect(response.status).toBe(200);
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const [line] = text.trimStart().split('\n');
      if (text.trimStart().includes('\n')) return JSON.parse(line!);
    }
    throw new Error('The stream ended without an event.');
  }

  #jobs(repository: string): string {
    // url.QueryEscape writes a space as "+".
    const name = encodeURIComponent(repository).replaceAll('%20', '+');
    return `${this.#base}/api/v1/repositories/${name}/queryjobs`;
  }
}

describe('Grafana data source in LogScale mode', () => {
  let server: LocalServer;
  let grafana: DataSource;
  beforeAll(async () => {
    server = await startLocalServer({ repositories: ['my view'] });
    grafana = new DataSource(server.url, server.userToken);
    await ingest(
      server,
      [1, 2, 3].map((n) => ({
        timestamp: Date.now() - n,
        attributes: { level: n === 1 ? 'error' : 'info', ms: n * 10 },
      })),
    );
  });
  afterAll(() => server.close());

  it('lists repositories and views', async () => {
    expect(await grafana.listRepositories()).toEqual([
      'sandbox',
      'my view',
      'humio-activity',
      'humio-search-all',
      'humio-audit',
    ]);
  });

  it.each([
    ['sandbox', '', false, 3],
    ['sandbox', 'level=error', false, 1],
    ['sandbox', 'level=none', false, 0],
    ['sandbox', 'count()', true, 1],
    ['sandbox', 'groupBy(level, function=[count(), avg(ms)])', true, 2],
    ['sandbox', 'timeChart(level)', true, expect.any(Number)],
    ['sandbox', 'bucket(span=1m, function=percentile(ms))', true, expect.any(Number)],
    ['sandbox', 'top(level)', true, 2],
    ['sandbox', 'table([level, ms])', true, 3],
    ['sandbox', 'ms < 20 level=error', false, 1],
    ['humio-search-all', 'level=*', false, 3],
    ['humio-audit', '', false, 0],
    ['my view', 'count()', true, 1],
  ])('decodes the query result in %j: %s', async (repository, queryString, isAggregate, rows) => {
    const { events, metaData } = await grafana.run(repository, queryString);
    expect(metaData.isAggregate).toBe(isAggregate);
    expect(events.length).toEqual(rows);
  });

  it('receives @timestamp and @rawstring with an event of a live query', async () => {
    const first = grafana.firstLive('sandbox', 'live=yes');
    await ingest(server, [{ timestamp: Date.now(), attributes: { live: 'yes' } }]);
    expect(await first).toMatchObject({
      '@timestamp': expect.any(Number),
      '@rawstring': expect.any(String),
      live: 'yes',
    });
  });

  it('shows why a query is invalid', async () => {
    const response = await grafana.createJob('sandbox', 'groupBy(');
    expect(response.headers['content-type']).toBe('application/json');
    expect(shownError(response)).toMatch(/^400 .*groupBy/s);
  });

  it('shows an error for an unknown repository and for an unknown token', async () => {
    expect(shownError(await grafana.createJob('nowhere', '*'))).toMatch(/^404 .*has: sandbox, my view/s);
    const stranger = new DataSource(server.url, 'wrong');
    expect(shownError(await stranger.createJob('sandbox', '*'))).toMatch(/^401 /);
  });

  it('shows errors even without the User-Agent of a plug-in', async () => {
    const headers = { authorization: `Bearer ${server.userToken}` };
    const body = goJson({ queryString: 'groupBy(' });
    const response = await goRequest('POST', `${server.url}/api/v1/repositories/sandbox/queryjobs`, {
      headers,
      body,
    });
    expect(shownError(response)).toMatch(/^400 /);
  });
});

describe('Grafana data source in NGSIEM mode', () => {
  let server: NgsiemServer;
  let grafana: DataSource;
  beforeAll(async () => {
    server = await startLocalServer({ ngsiem: true });
    grafana = new DataSource(`${server.url}/humio`, await accessToken());
    await fetch(server.hecUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.hecToken}` },
      body: JSON.stringify({ event: { message: 'hello' } }),
    });
  });
  afterAll(() => server.close());

  async function accessToken(): Promise<string> {
    const { status, body } = await goRequest('POST', `${server.url}/oauth2/token`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: server.clientId,
        client_secret: server.clientSecret,
      }).toString(),
    });
    expect(Math.floor(status / 100)).toBe(2);
    const { access_token, token_type, expires_in } = JSON.parse(body);
    expect([typeof access_token, typeof token_type]).toEqual(['string', 'string']);
    expect(Number.isInteger(expires_in)).toBe(true);
    // The plug-in renews the token when its claim "exp" has passed.
    const claims = JSON.parse(Buffer.from(access_token.split('.')[1], 'base64url').toString());
    expect(claims.exp * 1000).toBeGreaterThan(Date.now());
    return access_token;
  }

  it('passes the health check, an empty query over one second of search-all', async () => {
    expect((await grafana.createJob('search-all', '', 1000)).status).toBe(200);
  });

  it.each(['search-all', 'investigate_view', 'third-party'])(
    'decodes query results from %s',
    async (repository) => {
      expect((await grafana.run(repository, 'message=hello')).events).toHaveLength(1);
      expect((await grafana.run(repository, 'count()')).events).toMatchObject([{ _count: '1' }]);
    },
  );

  it('shows an error for an unknown repository', async () => {
    expect(shownError(await grafana.createJob('nowhere', '*'))).toMatch(/^404 /);
  });
});
