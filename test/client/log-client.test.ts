import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { parse } from 'graphql';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogIngestClient } from '../../src/client/ingest-client.ts';
import { LogClient } from '../../src/client/log-client.ts';
import { LiveQueryJob } from '../../src/client/query/live-query-job.ts';
import { lql } from '../../src/client/query/lql.ts';
import { StaticQueryJob } from '../../src/client/query/static-query-job.ts';
import { LogException, LogHTTPException, LogOptionsException } from '../../src/core/errors.ts';
import { Ingester } from '../../src/ingest/ingester.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { type Answer, type HttpService, sendJson, sendText, startService } from '../helpers/http-service.ts';

const TOKEN = 'AbCdEfGhIjKlMnOpQrStUvWx~0123456789';
const VARIABLES = [
  'LOGSCALE_URL',
  'HUMIO_ADDRESS',
  'LOGSCALE_TOKEN',
  'HUMIO_TOKEN',
  'LOGSCALE_INGEST_TOKEN',
  'HUMIO_INGEST_TOKEN',
  'LOGSCALE_REPOSITORY',
  'HUMIO_REPOSITORY',
];

beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, '');
  vi.stubEnv('XDG_STATE_HOME', join(tmpdir(), 'no-local-server'));
});
afterEach(() => vi.unstubAllEnvs());

interface Graphql {
  query: string;
  variables: Record<string, unknown>;
}

async function start(
  answer: Answer,
  repository = 'my repo',
): Promise<{ service: HttpService; client: LogClient }> {
  const service = await startService(answer);
  return { service, client: new LogClient({ baseUrl: service.url, repository, userToken: TOKEN }) };
}

/** A client whose GraphQL calls return `data`. */
function startGraphql(data: object): ReturnType<typeof start> {
  return start((_, response) => sendJson(response, { data }));
}

/** The field name and variables of a valid GraphQL request. */
function asked(service: HttpService, index = 0): { field: string | undefined; variables: unknown } {
  const { query, variables } = service.requests[index]!.json<Graphql>();
  parse(query);
  return { field: /\{\s*(\w+)/.exec(query)?.[1], variables };
}

describe('Clients', () => {
  it.each([
    ['createUser', (client: LogClient) => client.createUser('a@b.c', true as never), 'isRoot: true'],
    ['getFileContent', (client: LogClient) => client.getFileContent('a.csv', 50 as never), 'offset: 50'],
    ['ingestMessages', (client: LogClient) => client.ingestMessages(['a'], 'kv' as never), 'parser: "kv"'],
    ['query', (client: LogClient) => client.query('*', '24h' as never), 'start: "24h"'],
    ['updateSavedQuery', (client: LogClient) => client.updateSavedQuery('x', 'y' as never), 'name: "y"'],
  ])(
    'reject an argument that %s() of other clients has there, and name its option',
    async (name, call, as) => {
      const client = new LogClient({ baseUrl: 'http://localhost:1', repository: 'r', userToken: TOKEN });
      await expect(call(client)).rejects.toThrow(`${name}: the options must be an object`);
      await expect(call(client)).rejects.toThrow(`Name it, as in { ${as} }.`);
    },
  );

  it.each([
    ['listFiles', (client: LogClient) => client.listFiles('x' as never)],
    ['createFile', (client: LogClient) => client.createFile('a.csv', 'x' as never)],
    ['createParser', (client: LogClient) => client.createParser('kv2', 'kvParse()', 'x' as never)],
  ])('reject an argument that %s() has nowhere, and name no option', async (name, call) => {
    const client = new LogClient({ baseUrl: 'http://localhost:1', repository: 'r', userToken: TOKEN });
    await expect(call(client)).rejects.toThrow(`${name}: the options must be an object (got "x").`);
    await expect(call(client)).rejects.not.toThrow('Name it');
  });

  it('read the repository and ingest token of HUMIO_… variables, and trim a repository', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    vi.stubEnv('HUMIO_REPOSITORY', 'from-env');
    vi.stubEnv('HUMIO_INGEST_TOKEN', 'ingest-token');
    const options = { baseUrl: service.url, userToken: TOKEN };
    expect(new LogClient(options).repository).toBe('from-env');
    expect(new LogClient({ ...options, repository: ' sandbox ' }).repository).toBe('sandbox');
    await new LogIngestClient({ baseUrl: service.url }).ingestJsonData();
    expect(service.requests[0]?.headers.authorization).toBe('Bearer ingest-token');
  });

  it('read their settings from environment variables', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    vi.stubEnv('LOGSCALE_URL', service.url);
    vi.stubEnv('HUMIO_TOKEN', TOKEN);
    vi.stubEnv('LOGSCALE_REPOSITORY', 'from-env');
    vi.stubEnv('LOGSCALE_INGEST_TOKEN', 'ingest-token');
    const client = new LogClient();
    expect(client).toMatchObject({ repository: 'from-env', baseUrl: `${service.url}/` });
    await client.ingestJsonData();
    await new LogIngestClient().ingestJsonData();
    expect(service.calls).toEqual([
      'POST /api/v1/repositories/from-env/ingest',
      'POST /api/v1/ingest/humio-structured',
    ]);
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${TOKEN}`,
      'Bearer ingest-token',
    ]);
  });

  it.each([
    [
      () => new LogClient({ userToken: TOKEN }),
      '"repository" is missing. Pass it as an option or set LOGSCALE_REPOSITORY',
    ],
    [() => new LogClient({ repository: 'r' }), 'set LOGSCALE_TOKEN in the environment'],
    [
      () => new LogClient({ repository: 'r', userToken: 'a b' }),
      'LogClient: "userToken" contains characters',
    ],
    [() => new LogClient({ repository: '..', userToken: TOKEN }), '".." can\'t be used as a name'],
    [
      () => new LogClient({ repository: 'r', userToken: TOKEN, baseUrl: 'ftp://x' }),
      'LogClient: "baseUrl" must start with http:// or https://',
    ],
    [() => new LogClient({ repository: 'r', token: TOKEN } as object), 'LogClient has no option "token"'],
    [
      () => new LogClient(),
      'set LOGSCALE_TOKEN in the environment. To use a local server, start one with "npx logclient serve".',
    ],
    [() => new LogIngestClient({}), /LogIngestClient: "ingestToken" is missing.* "npx logclient serve"\.$/],
    [
      () => new LogClient({ repository: 'r', userToken: 'x', headers: { Authorization: TOKEN } }),
      'LogClient "headers": for the header "authorization", set "userToken".',
    ],
    [
      () =>
        new LogClient({
          repository: 'r',
          cloud: 'us-1',
          auth: { clientId: 'a', clientSecret: 'b' },
          headers: { authorization: TOKEN },
        }),
      'LogClient "headers": for the header "authorization", set "auth".',
    ],
    [
      () => new LogIngestClient({ ingestToken: 'x', headers: { authorization: TOKEN } }),
      'LogIngestClient "headers": for the header "authorization", set "ingestToken".',
    ],
    [
      () => new LogIngestClient({ ingestToken: 'x', repository: 'r' } as object),
      'has no option "repository"',
    ],
  ])('reject invalid options: %s', (create, message) => {
    expect(create).toThrow(LogOptionsException);
    expect(create).toThrow(message);
    expect(create).not.toThrow(TOKEN);
  });

  it.each([
    ['LOGSCALE_TOKN', () => new LogClient({ repository: 'r' }), 'LOGSCALE_TOKEN'],
    ['LOGSCALE_REPO', () => new LogClient({ userToken: TOKEN }), 'LOGSCALE_REPOSITORY'],
    ['LOGSCALE_INGEST_TOKENS', () => new Ingester({ baseUrl: 'http://nowhere' }), 'LOGSCALE_INGEST_TOKEN'],
  ])('say which variable %s may mean', (name, create, meant) => {
    vi.stubEnv(name, 'x');
    expect(create).toThrow(`${name} is set: did you mean ${meant}?`);
  });

  it('hide their token and headers from inspect(), JSON.stringify() and String()', () => {
    const headers = { 'x-key': 'some other secret' };
    const clients = [
      new LogClient({ repository: 'r', userToken: TOKEN, headers }),
      new LogIngestClient({ ingestToken: TOKEN, headers }),
    ];
    for (const client of clients) {
      const visible =
        inspect(client, { depth: 10, showHidden: true }) + JSON.stringify(client) + String(client);
      expect(visible).not.toContain(TOKEN);
      expect(visible).not.toContain('some other secret');
    }
  });

  it('send an Authorization header of a call instead of their token', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    const headers = { Authorization: 'Bearer other' };
    await new LogIngestClient({ ingestToken: TOKEN, baseUrl: service.url }).ingestMessages([], { headers });
    expect(service.requests[0]?.headers.authorization).toBe('Bearer other');
  });

  it('pass headers and signal of a call to GraphQL requests', async () => {
    const { client, service } = await start((request, response) => {
      if (request.headers['x-trace'] === 'a') sendJson(response, { data: { repositories: [] } });
    });
    expect(await client.listRepositories({ headers: { 'x-trace': 'a' } })).toEqual([]);
    const controller = new AbortController();
    const unanswered = client.listRepositories({ signal: controller.signal });
    await vi.waitFor(() => expect(service.requests).toHaveLength(2));
    controller.abort(new Error('enough'));
    await expect(unanswered).rejects.toThrow('enough');
  });

  it('pass headers, signal and timeoutMs of a call to REST requests', async () => {
    const { service, client } = await start((request, response) => {
      if (request.headers['x-trace'] === 'a') sendJson(response, []);
    });
    expect(await client.getUsers({ headers: { 'x-trace': 'a' } })).toEqual([]);
    expect(service.requests[0]?.headers['x-trace']).toBe('a');
    await expect(client.getUsers({ timeoutMs: 20 })).rejects.toMatchObject({ timeoutMs: 20 });
    const reason = new Error('mine');
    await expect(client.getUsers({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('send any other REST request with webCaller.callRest()', async () => {
    const { service, client } = await start((_, response) => sendText(response, 200, 'plain'));
    expect(await (await client.webCaller.callRest('GET', 'health')).text()).toBe('plain');
    expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });
});

describe('Ingest methods', () => {
  const events = [{ tags: { host: 'a' }, events: [{ timestamp: 1, attributes: { a: [1, { b: null }] } }] }];

  it('ingestJsonData() sends structured events unchanged', async () => {
    const { service, client } = await start((_, response) => sendJson(response, {}));
    expect(await client.ingestJsonData(events)).toEqual({});
    expect(service.calls).toEqual(['POST /api/v1/repositories/my%20repo/ingest']);
    expect(service.requests[0]?.json()).toEqual(events);
  });

  it('send bodies of 8 kB and more with gzip', async () => {
    const { service, client } = await start((_, response) => sendJson(response, {}));
    const message = 'x'.repeat(8_192);
    await client.ingestMessages([message]);
    await client.ingestJsonData([{ events: [{ timestamp: 1, attributes: { message } }] }]);
    for (const { headers, body } of service.requests) {
      expect(headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(body).toString()).toContain(message);
    }
    expect(service.requests).toHaveLength(2);
  });

  it('ingestMessages() sends parser, fields and tags, and the headers of the call', async () => {
    const { service, client } = await start((_, response) => sendJson(response, {}));
    const ingester = new LogIngestClient({ ingestToken: 'ingest-token', baseUrl: service.url });
    const options = { parser: 'kv', fields: { f: '1' }, tags: { t: '2' }, headers: { 'x-trace': 'a' } };
    expect(await client.ingestMessages(['a', 'b'], options)).toEqual({});
    expect(await ingester.ingestMessages(['c'], options)).toEqual({});
    await ingester.ingestMessages(['d']);
    expect(service.calls).toEqual([
      'POST /api/v1/repositories/my%20repo/ingest-messages',
      'POST /api/v1/ingest/humio-unstructured',
      'POST /api/v1/ingest/humio-unstructured',
    ]);
    expect(service.requests.map((request) => request.json())).toEqual([
      [{ messages: ['a', 'b'], type: 'kv', fields: { f: '1' }, tags: { t: '2' } }],
      [{ messages: ['c'], type: 'kv', fields: { f: '1' }, tags: { t: '2' } }],
      [{ messages: ['d'] }],
    ]);
    expect(service.requests.map(({ headers }) => headers['x-trace'])).toEqual(['a', 'a', undefined]);
  });

  it('skips undefined tags and fields, such as the values of unset variables', async () => {
    const { service, client } = await start((_, response) => sendJson(response, {}));
    const unset = { t: '2', env: undefined };
    await client.ingestMessages(['a'], { tags: unset, fields: unset });
    await client.ingestJsonData([{ tags: unset, events: [{ timestamp: 1 }] }]);
    expect(service.requests.map((request) => request.json())).toEqual([
      [{ messages: ['a'], tags: { t: '2' }, fields: { t: '2' } }],
      [{ tags: { t: '2' }, events: [{ timestamp: 1 }] }],
    ]);
  });

  it.each([
    [(client: LogClient) => client.ingestMessages('a' as never), 'the messages must be an array of strings'],
    [
      (client: LogClient) => client.ingestMessages(['a', {}] as never),
      'message 1 must be a string (got an object)',
    ],
    [
      (client: LogClient) => client.ingestMessages([], { tags: { n: 1 } } as never),
      '"tags" must contain only strings',
    ],
    [(client: LogClient) => client.ingestMessages([], { parsers: 'kv' } as never), 'Did you mean "parser"?'],
    [(client: LogClient) => client.ingestJsonData({} as never), 'must be an array of { tags, events }'],
    [
      (client: LogClient) => client.ingestJsonData([{ message: 'x' }] as never),
      'element 0 must be { tags, events }',
    ],
    [
      (client: LogClient) => client.ingestJsonData([...events, { events: [null] }] as never),
      'event 0 of element 1 needs a "timestamp"',
    ],
    [
      (client: LogClient) =>
        client.ingestJsonData([{ events: [{ timestamp: 1e12, level: 'error' }] }] as never),
      'event 0 of element 0 has "level", but can only have timestamp, timezone, attributes, rawstring. Fields belong in "attributes"',
    ],
    [
      (client: LogClient) => client.ingestJsonData([{ events: [], tag: { a: 'b' } }] as never),
      'element 0 has "tag", but can only have tags, events.',
    ],
    [(client: LogClient) => client.ingestJsonData([], null as never), 'the options must be an object'],
    [
      (client: LogClient) => client.ingestJsonData([{ tags: { '#a': 'b' }, events: [] }]),
      'ingestJsonData: element 0: the tag name "#a" must not start with "#".',
    ],
    [
      (client: LogClient) => client.ingestMessages(['x'], { tags: { '#a': 'b' } }),
      'ingestMessages: the tag name "#a" must not start with "#".',
    ],
    [
      (client: LogClient) => client.ingestMessages(['x'], { tags: null as never }),
      '"tags" must be an object of strings (got null). Omit it, or pass undefined.',
    ],
    [
      (client: LogClient) =>
        client.ingestJsonData([{ events: [{ timestamp: 1e12, attributes: ['x'] as never }] }]),
      'event 0 of element 0: "attributes" must be an object (got an array).',
    ],
    [
      (client: LogClient) =>
        client.ingestJsonData([{ events: [{ timestamp: 1e12, attributes: null as never }] }]),
      'event 0 of element 0: "attributes" must be an object (got null).',
    ],
    [
      (client: LogClient) => client.ingestJsonData([{ events: [{ timestamp: 1e12, timezone: 'Mars/X' }] }]),
      'event 0 of element 0: "timezone" must be the name or offset of a time zone (got "Mars/X").',
    ],
    [
      (client: LogClient) => client.ingestJsonData([{ events: [{ timestamp: '2026-02-03T10:00:00' }] }]),
      'Add its offset: "Z" for UTC, or such as "+01:00". Nothing was sent.',
    ],
  ])('reject invalid arguments before anything is sent: %s', async (call, message) => {
    const { service, client } = await start((_, response) => sendJson(response, {}));
    const error = await call(client).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogOptionsException);
    expect(String(error)).toContain(message);
    expect(service.calls).toEqual([]);
  });
});

describe('Values of ingestJsonData()', () => {
  it.each<[string, unknown, string]>([
    ['error', new RangeError('x'), 'a RangeError'],
    ['set', new Set([1]), 'a Set'],
    ['big', 1n, '1'],
    ['ratio', Number.NaN, 'NaN'],
    ['call', () => {}, 'a function'],
  ])('that JSON would lose are rejected with their name: %s', async (name, value, got) => {
    const { service, client } = await start((_, response) => sendJson(response, {}));
    const attributes = { deep: [{ [name]: value }] };
    const elements = [{ events: [{ timestamp: 1 }, { timestamp: 1, attributes }] }] as never;
    const error = await client.ingestJsonData(elements).catch((caught: unknown) => caught);
    expect(String(error)).toContain(
      `ingestJsonData: "data" can't be serialized as JSON (elements[0].events[1].attributes.deep[0].${name} is ${got}: use String()`,
    );
    expect(service.calls).toEqual([]);
  });

  it('that JSON converts or omits are sent', async () => {
    const { service, client } = await start((_, response) => sendJson(response, {}));
    const attributes = { at: new Date(0), none: undefined, url: new URL('http://x/'), list: [[1], {}, null] };
    await client.ingestJsonData([{ events: [{ timestamp: 1, attributes }] }] as never);
    expect(service.requests[0]!.json()).toMatchObject([
      { events: [{ attributes: JSON.parse(JSON.stringify(attributes)) }] },
    ]);
  });
});

describe('Timestamps of ingestJsonData()', () => {
  const eventAt = (timestamp: unknown) => [{ events: [{ timestamp: 1 }, { timestamp }] }] as never;
  const invalid = [
    undefined,
    null,
    '',
    'now',
    'yesterday',
    '1770109201000',
    '2026-02-03',
    '2026-02-03T10:00:00',
    '2026-02-30T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-02-03T24:00:00Z',
    '2026-02-03T10:00:60Z',
    '1969-12-31T10:00:00Z',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    1e16,
    true,
    {},
    [1],
    new Date(Number.NaN),
    new Date(-1),
  ];

  it.each(invalid)('reject %o before anything is sent, and name the event', async (timestamp) => {
    const { service, client } = await start((_, response) => sendJson(response, {}));
    const error = await client.ingestJsonData(eventAt(timestamp)).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogOptionsException);
    expect(String(error)).toContain('ingestJsonData: event 1 of element 0 needs a "timestamp"');
    expect(service.calls).toEqual([]);
  });

  it.each([
    [1_795_893_699, 'seconds: multiply'],
    [1_795_893_699.5, 'seconds: multiply'],
    [1_795_893_699_000_000, 'microseconds: divide'],
  ])(
    'reject %d, which the service would store in another century: it looks like %s',
    async (time, advice) => {
      const { service, client } = await start((_, response) => sendJson(response, {}));
      await expect(client.ingestJsonData(eventAt(time))).rejects.toThrow(
        `It looks like ${advice} it by 1000.`,
      );
      expect(service.calls).toEqual([]);
    },
  );

  const valid = [
    0,
    1_770_109_201_000,
    1_770_109_201_000.5,
    '2026-02-03T10:00:00Z',
    '2026-02-03T10:00Z',
    '2026-02-03T10:00:00.123456789+01:00',
    '2026-02-03T10:00:00,5-0130',
    '2026-02-03 10:00:00+01',
    '2024-02-29T23:59:59z',
    '2026-02-03T10:00:00+01:00[Europe/Copenhagen]',
    new Date(),
    { toJSON: () => '2026-02-03T10:00:00Z' },
  ];

  it.each(valid)('accept %o, as the server does', async (timestamp) => {
    await using server = await startLocalServer();
    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    expect(await client.ingestJsonData(eventAt(timestamp))).toEqual({});
  });

  it('are rejected by the server, too', async () => {
    await using server = await startLocalServer();
    const { url: baseUrl, repository, userToken } = server;
    const { webCaller } = new LogClient({ baseUrl, repository, userToken });
    for (const timestamp of invalid) {
      const call = webCaller.callRest('POST', `repositories/${repository}/ingest`, {
        data: eventAt(timestamp),
      });
      await expect(call, String(timestamp)).rejects.toMatchObject({ statusCode: 400 });
    }
  });
});

describe('Query methods', () => {
  it('fail with a hint to use a user token if userToken is an ingest token, and all requests with a hint where to get one that is known', async () => {
    await using server = await startLocalServer();
    const { url: baseUrl, repository, ingestToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken: ingestToken });
    const message =
      /failed with status 403: The supplied authentication .*\. If this is an ingest token, use a user token: ingest tokens can only send events\.$/;
    await expect(client.query('count()')).rejects.toThrow(message);
    await expect(client.listRepositories()).rejects.toThrow(message);
    await expect(client.tail('').next()).rejects.toThrow(message);
    const stranger = new LogClient({ baseUrl, repository, userToken: 'bad' });
    const check =
      /is invalid\. Check the token \(userToken, LOGSCALE_TOKEN or LOGSCALE_API_TOKEN\): a user token, from \S+/;
    await expect(stranger.query('count()')).rejects.toThrow(check);
    await expect(stranger.getFile('a.csv')).rejects.toThrow(check);
    await expect(stranger.ingestMessages(['a'])).rejects.toThrow(check);
    const swapped = new LogIngestClient({ baseUrl, ingestToken: server.userToken });
    await expect(swapped.ingestMessages(['a'])).rejects.toThrow(
      /use an ingest token: user tokens can only send events to a named repository\.$/,
    );
    const sender = new LogIngestClient({ baseUrl, ingestToken: 'bad' });
    await expect(sender.ingestMessages(['a'])).rejects.toThrow(
      /is invalid\. Check the token \(ingestToken, LOGSCALE_INGEST_TOKEN\): an ingest token, from \S+/,
    );
  });

  it('createQueryJob() returns a LiveQueryJob with isLive, and a StaticQueryJob without', async () => {
    const { client } = await start((_, response) => sendJson(response, { id: '1-a' }));
    const live: LiveQueryJob = await client.createQueryJob('*', { isLive: true });
    const fixed: StaticQueryJob = await client.createQueryJob('*', { start: '1h' });
    expect(live).toBeInstanceOf(LiveQueryJob);
    expect(fixed).toBeInstanceOf(StaticQueryJob);
  });

  it('validateQuery() sends the query and its arguments as GraphQL variables', async () => {
    const validation = { isValid: false, diagnostics: [{ message: 'no', code: 'X', severity: 'Error' }] };
    const { service, client } = await startGraphql({ validateQuery: validation });
    expect(await client.validateQuery('"', { arguments: { a: 'b', c: undefined } })).toEqual(validation);
    expect(asked(service)).toEqual({
      field: 'validateQuery',
      variables: {
        queryString: '"',
        version: 'legacy',
        isLive: false,
        arguments: [{ name: 'a', value: 'b' }],
      },
    });
  });
});

describe('getStatus()', () => {
  const status = { status: 'DOWN', version: '1.9.2--build-12345--sha-abcdef0123' };

  it.each([200, 503])('returns the status in a %i response', async (code) => {
    const { service, client } = await start((_, response) => sendJson(response, status, code));
    expect(await client.getStatus()).toEqual(status);
    expect(service.calls).toEqual(['GET /api/v1/status']);
  });

  it.each([null, {}, 'OK', []])('rejects %j as a status', async (answer) => {
    const { client } = await start((_, response) => sendJson(response, answer));
    const body = JSON.stringify(answer);
    await expect(client.getStatus()).rejects.toMatchObject({ code: 'LOG_BAD_ANSWER', body });
  });

  it('throws for a 503 response that is not a status', async () => {
    const { client } = await start((_, response) => sendText(response, 503, 'overloaded'));
    await expect(client.getStatus()).rejects.toBeInstanceOf(LogHTTPException);
  });
});

describe('Users', () => {
  const list = [
    { userID: 'u/1', email: 'a@b.c', isRoot: true },
    { userID: 'u2', email: 'A@b.c' },
  ];

  it('are listed, and found by their exact email address', async () => {
    const { client } = await start((_, response) => sendJson(response, list));
    expect(await client.getUsers()).toEqual(list);
    expect(await client.getUserByEmail('A@b.c')).toEqual(list[1]);
    expect(await client.getUserByEmail('x@b.c')).toBeUndefined();
  });

  it('are created without root rights by default', async () => {
    const { service, client } = await start((request, response) => sendJson(response, request.json()));
    await client.createUser('n@b.c');
    await client.createUser('r@b.c', { isRoot: true });
    expect(service.calls).toEqual(['POST /api/v1/users', 'POST /api/v1/users']);
    expect(service.requests.map((request) => request.json())).toEqual([
      { email: 'n@b.c', isRoot: false },
      { email: 'r@b.c', isRoot: true },
    ]);
  });

  it('are deleted by ID and by email address', async () => {
    const { service, client } = await start((request, response) =>
      request.method === 'GET' ? sendJson(response, list) : response.writeHead(204).end(),
    );
    expect(await client.deleteUserById('u/1')).toBeUndefined();
    expect(await client.deleteUserByEmail('a@b.c')).toEqual(list[0]);
    expect(await client.deleteUserByEmail('nobody@b.c')).toBeUndefined();
    expect(service.calls).toEqual([
      'DELETE /api/v1/users/u%2F1',
      'GET /api/v1/users',
      'DELETE /api/v1/users/u%2F1',
      'GET /api/v1/users',
    ]);
  });

  it("cause an error with the service's message if the token may not manage them", async () => {
    const text = 'The supplied authentication is not authorized to access this resource';
    const { client } = await start((_, response) => sendText(response, 403, text));
    await expect(client.getUsers()).rejects.toMatchObject({ statusCode: 403, body: text });
  });

  it('need an email address and a boolean isRoot', async () => {
    const { service, client } = await start((_, response) => sendJson(response, []));
    await expect(client.createUser(' ')).rejects.toThrow('"email" must be a non-empty string');
    await expect(client.deleteUserByEmail(undefined as never)).rejects.toThrow('deleteUserByEmail: "email"');
    await expect(client.createUser('a@b.c', { isRoot: 1 } as never)).rejects.toThrow(
      '"isRoot" must be true or false',
    );
    expect(service.calls).toEqual([]);
  });
});

describe('Organizations', () => {
  it('are listed page by page without duplicates', async () => {
    const entries = Array.from({ length: 150 }, (_, index) => ({
      organizationId: `o${index % 120}`,
      organizationName: `Org ${index % 120}`,
    }));
    const { service, client } = await start((request, response) => {
      const { skip, limit } = request.json<Graphql>().variables as { skip: number; limit: number };
      const results = entries.slice(skip, skip + limit);
      sendJson(response, { data: { searchOrganizations: { totalResults: entries.length, results } } });
    });
    const organizations = await client.listOrganizations();
    expect(organizations).toHaveLength(120);
    expect(organizations[7]).toEqual({ id: 'o7', name: 'Org 7' });
    expect(service.calls).toHaveLength(2);
  });

  it('are created with a name and a description', async () => {
    const created = { id: 'o1', name: 'New "one"', description: 'text' };
    const { service, client } = await startGraphql({ createEmptyOrganization: created });
    expect(await client.createOrganization('New "one"', { description: 'text' })).toEqual(created);
    expect(asked(service)).toEqual({
      field: 'createEmptyOrganization',
      variables: { name: 'New "one"', description: 'text' },
    });
  });
});

describe('Lookup files', () => {
  const content = {
    nameAndPath: { name: 'a.csv', path: null },
    headers: ['x'],
    lines: [['1']],
    totalLinesCount: 1,
    limit: 200,
    offset: 0,
    filterString: null,
  };
  const NAME = 'my "odd" {name} \\.csv';

  it('are listed', async () => {
    const file = { nameAndPath: { name: 'a.csv', path: null }, contentHash: 'abc' };
    const { service, client } = await startGraphql({ searchDomain: { files: [file] } });
    expect(await client.listFiles()).toEqual([file]);
    expect(asked(service)).toEqual({ field: 'searchDomain', variables: { repository: 'my repo' } });
  });

  it('cause LOG_NOT_FOUND if their repository does not exist', async () => {
    const { client } = await startGraphql({ searchDomain: null });
    const error = await client.listFiles().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogException);
    expect(error).toMatchObject({ code: 'LOG_NOT_FOUND' });
  });

  it('are created and deleted by a name with special characters', async () => {
    const { service, client } = await startGraphql({ newFile: content, removeFile: { result: true } });
    expect(await client.createFile(NAME)).toEqual(content);
    expect(await client.deleteFile(NAME)).toBe(true);
    expect(asked(service, 0)).toEqual({ field: 'newFile', variables: { repository: 'my repo', name: NAME } });
    expect(asked(service, 1)).toEqual({
      field: 'removeFile',
      variables: { repository: 'my repo', name: NAME },
    });
  });

  it('are read by offset, limit and filterString', async () => {
    const { service, client } = await startGraphql({ getFileContent: content });
    expect(await client.getFileContent(NAME)).toEqual(content);
    await client.getFileContent('a.csv', { offset: 10, limit: 5, filterString: '") { x }' });
    expect(asked(service, 0).variables).toEqual({ repository: 'my repo', name: NAME, offset: 0, limit: 200 });
    expect(asked(service, 1).variables).toEqual({
      repository: 'my repo',
      name: 'a.csv',
      offset: 10,
      limit: 5,
      filterString: '") { x }',
    });
  });

  it('are changed by addFileContents() and removeFileContents()', async () => {
    const { service, client } = await startGraphql({ updateFile: content });
    const columnChanges = [{ changeKind: 'Add', index: 1 }] as const;
    expect(
      await client.addFileContents('a.csv', ['x', 'y'], [['1', '2']], { columnChanges, offset: 3 }),
    ).toEqual(content);
    expect(await client.removeFileContents('a.csv', { offset: 1, limit: 2 })).toEqual(content);
    expect(asked(service, 0).variables).toEqual({
      repository: 'my repo',
      name: 'a.csv',
      headers: ['x', 'y'],
      changedRows: [['1', '2']],
      columnChanges,
      offset: 3,
      limit: 200,
    });
    expect(asked(service, 1).variables).toEqual({
      repository: 'my repo',
      name: 'a.csv',
      headers: [],
      changedRows: [],
      columnChanges: [],
      offset: 1,
      limit: 2,
    });
  });

  it.each([
    [
      (client: LogClient) => client.addFileContents('a.csv', ['x'], [['1', '2']]),
      'row 0 must have one cell per header: 1 (got 2).',
    ],
    [
      (client: LogClient) => client.addFileContents('a.csv', ['x'], [[1]] as never),
      'column 0 of row 0 must be a string (got 1).',
    ],
    [
      (client: LogClient) => client.addFileContents('a.csv', 'x' as never, []),
      'the headers must be an array of strings',
    ],
    [
      (client: LogClient) => client.addFileContents('a.csv', ['x'], 5 as never),
      'the rows must be an array of arrays',
    ],
    [
      (client: LogClient) =>
        client.addFileContents('a.csv', [], [], {
          columnChanges: [{ changeKind: 'Move', index: 0 }] as never,
        }),
      '"columnChanges[0].changeKind" must be one of Add, Remove',
    ],
    [
      (client: LogClient) =>
        client.addFileContents('a.csv', [], [], {
          columnChanges: [{ changeKind: 'Add', index: 0, name: 'y' }] as never,
        }),
      '"columnChanges[0]" has no option "name". Known options: changeKind, index.',
    ],
    [
      (client: LogClient) => client.addFileContents('a.csv', ['x'], []),
      'without rows, this would remove the first 200. Use removeFileContents() to remove rows, or "limit: 0" to keep all.',
    ],
    [
      (client: LogClient) => client.getFileContent('a.csv', { offset: -1 }),
      '"offset" must be a whole number',
    ],
    [
      (client: LogClient) => client.removeFileContents('a.csv', { filterString: '' } as never),
      'has no option "filterString"',
    ],
    [(client: LogClient) => client.createFile(''), '"name" must be a non-empty string'],
    [(client: LogClient) => client.getFile('..'), '".." can\'t be used as a name'],
    [(client: LogClient) => client.getFile('pack/../a.csv'), '".." can\'t be used as a name'],
    [(client: LogClient) => client.getFile('/a.csv'), 'must be a non-empty string'],
    [(client: LogClient) => client.getFile('a.csv', { encoding: 'utf-99' }), '(got "utf-99")'],
    [
      (client: LogClient) => client.uploadFile({ name: 'a.csv', content: 5 } as never),
      '"content" must be a string or a Uint8Array',
    ],
    [
      (client: LogClient) => client.webCaller.callRest('POST', 'x', { files: { file: 'a' } } as never),
      'callRest: "files" must be an array of { name, content } (got an object)',
    ],
    [
      (client: LogClient) => client.webCaller.callRest('POST', 'x', { files: ['a.csv'] } as never),
      'callRest: "files[0]" must be { name, content } (got',
    ],
    [
      (client: LogClient) => client.webCaller.callRest('GET', '/api/v1/status'),
      'callRest: endpoints are relative to /api/v1/. Pass "status".',
    ],
    [
      (client: LogClient) => client.uploadFile('/no/such/file.csv'),
      '"/no/such/file.csv" can\'t be read (ENOENT)',
    ],
  ])('cause no request if an argument is invalid: %s', async (call, message) => {
    const { service, client } = await start((_, response) => sendJson(response, {}));
    const error = await call(client).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogOptionsException);
    expect(String(error)).toContain(message);
    expect(service.calls).toEqual([]);
  });

  it('are uploaded byte for byte, from disk and from memory', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'logclient-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const bytes = new Uint8Array(1_000).map((_, index) => index % 256);
    await writeFile(join(directory, 'disk file.csv'), bytes);
    const { service, client } = await start((_, response) => sendText(response, 200, ''));
    expect(await client.uploadFile(join(directory, 'disk file.csv'))).toBeUndefined();
    await client.uploadFile({ name: 'memory.json', content: '{"é":1}' });
    const received = await Promise.all(
      service.requests.map(async ({ headers, body }) => {
        const form = await new Response(new Uint8Array(body), {
          headers: { 'content-type': headers['content-type']! },
        }).formData();
        const file = form.get('file') as File;
        return [file.name, [...new Uint8Array(await file.arrayBuffer())]];
      }),
    );
    expect(received).toEqual([
      ['disk file.csv', [...bytes]],
      ['memory.json', [...Buffer.from('{"é":1}')]],
    ]);
    expect(service.calls[0]).toBe('POST /api/v1/repositories/my%20repo/files');
  });

  it('are downloaded as bytes, or as text in the given encoding', async () => {
    const bytes = Buffer.from('x,\xe9\n', 'latin1');
    const { service, client } = await start((_, response) =>
      response.writeHead(200, { 'content-type': 'text/csv' }).end(bytes),
    );
    const asBytes: Uint8Array = await client.getFile('a b/%.csv');
    const asText: string = await client.getFile('a.csv', { encoding: 'latin1' });
    expect([...asBytes]).toEqual([...bytes]);
    expect(asText).toBe('x,é\n');
    expect(await client.getFile('a.csv', { encoding: 'latin-1' })).toBe(asText);
    expect(service.calls[0]).toBe('GET /api/v1/repositories/my%20repo/files/a%20b/%25.csv');
  });

  it('cause a 404 error if they do not exist', async () => {
    const { client } = await start((_, response) =>
      sendText(response, 404, 'The requested resource could not be found.'),
    );
    await expect(client.getFile('a.csv')).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe('An address with a wrong path prefix', () => {
  it('is named by the error, which does not list the paths of the local server', async () => {
    await using server = await startLocalServer();
    const client = new LogClient({ baseUrl: `${server.url}/foo`, repository: 'sandbox', userToken: TOKEN });
    await expect(client.query('*')).rejects.toThrow(
      /There is no POST \/foo\/api\/v1\/[\w/]+\. Add or remove the path prefix "\/foo" of the address\.$/,
    );
  });
});

describe('GraphQL errors', () => {
  it('are thrown, not returned', async () => {
    const { client } = await start((_, response) =>
      sendJson(response, { data: null, errors: [{ message: 'No such file', path: ['removeFile'] }] }),
    );
    await expect(client.deleteFile('a.csv')).rejects.toMatchObject({
      message: 'No such file',
    });
  });
});

describe('Invalid options', () => {
  const BAD_OPTIONS: readonly unknown[] = [
    null,
    5,
    [],
    new Map(),
    { signal: 5 },
    { signal: null },
    { headers: null },
    { headers: new Map([['x-trace', '1']]) },
    { headers: new Headers({ 'x-trace': '1' }) },
    { nope: 1 },
  ];
  const CALLS: Readonly<Record<string, (client: LogClient, options: object) => unknown>> = {
    query: (client, options) => client.query('*', options),
    createQueryJob: (client, options) => client.createQueryJob('*', options),
    streamingQuery: async (client, options) => client.streamingQuery('*', options),
    tail: async (client, options) => client.tail('*', options),
    watch: async (client, options) => client.watch('*', options),
    waitFor: (client, options) => client.waitFor('*', 1, options),
    getUsers: (client, options) => client.getUsers(options),
    getFile: (client, options) => client.getFile('a.csv', options),
  };

  it.each(Object.keys(CALLS))('are rejected by %s before anything is sent', async (name) => {
    const { service, client } = await start((_, response) => sendJson(response, {}));
    for (const options of BAD_OPTIONS) {
      const called = (async () => CALLS[name]!(client, options as object))();
      await expect(called, inspect(options)).rejects.toBeInstanceOf(LogOptionsException);
    }
    expect(service.calls).toEqual([]);
  });

  it.each([null, 5, [], new Map()])('are rejected by the constructors: %j', (options) => {
    expect(() => new LogClient(options as object)).toThrow(LogOptionsException);
    expect(() => new LogIngestClient(options as object)).toThrow(LogOptionsException);
  });

  it('include a Map as arguments or tags, and data that is not JSON', async () => {
    const { service, client } = await start((_, response) => sendJson(response, {}));
    const map = new Map([['name', 'value']]) as unknown as Record<string, string>;
    await expect(client.query('?name', { arguments: map })).rejects.toThrow('got a Map');
    await expect(client.ingestMessages(['x'], { tags: map })).rejects.toThrow('got a Map');
    await expect(client.ingestJsonData([{ tags: map, events: [] }])).rejects.toThrow('got a Map');
    await expect(client.webCaller.callRest('POST', 'x', { data: () => 1 })).rejects.toThrow(
      '"data" can\'t be serialized as JSON',
    );
    expect(service.calls).toEqual([]);
  });
});

describe('Unexpected responses', () => {
  const CALLS: Readonly<Record<string, (client: LogClient) => Promise<unknown>>> = {
    getUsers: (client) => client.getUsers(),
    getUserByEmail: (client) => client.getUserByEmail('a@example.com'),
    getCurrentUser: (client) => client.getCurrentUser(),
    updateUser: (client) => client.updateUser('u', { email: 'a@example.com' }),
    getOrganization: (client) => client.getOrganization(),
    listOrganizations: (client) => client.listOrganizations(),
    createOrganization: (client) => client.createOrganization('o'),
    listFiles: (client) => client.listFiles(),
    createFile: (client) => client.createFile('a.csv'),
    deleteFile: (client) => client.deleteFile('a.csv'),
    getFileContent: (client) => client.getFileContent('a.csv'),
    removeFileContents: (client) => client.removeFileContents('a.csv'),
    createSavedQuery: (client) => client.createSavedQuery('q', '*'),
    listSavedQueries: (client) => client.listSavedQueries(),
    getSavedQuery: (client) => client.getSavedQuery('q'),
    updateSavedQuery: (client) => client.updateSavedQuery('q', { name: 'r' }),
    deleteSavedQuery: (client) => client.deleteSavedQuery('q'),
    listIngestTokens: (client) => client.listIngestTokens(),
    addIngestToken: (client) => client.addIngestToken('t'),
    removeIngestToken: (client) => client.removeIngestToken('t'),
    listParsers: (client) => client.listParsers(),
    createParser: (client) => client.createParser('p', 'kvParse()'),
    deleteParser: (client) => client.deleteParser('p'),
    listRepositories: (client) => client.listRepositories(),
    listSearchDomains: (client) => client.listSearchDomains(),
    createRepository: (client) => client.createRepository('r'),
    createView: (client) => client.createView('v', []),
    deleteSearchDomain: (client) => client.deleteSearchDomain('v'),
    validateQuery: (client) => client.validateQuery('*'),
  };
  const ANSWERS = [
    null,
    {},
    { data: {} },
    { data: { searchDomain: {}, repository: {}, users: [null] } },
    {
      data: {
        searchDomain: { files: null, savedQueries: {} },
        repository: { parsers: 1, ingestTokens: '' },
        // Every page is the same.
        searchOrganizations: { results: [{ organizationId: 'o', organizationName: 'O' }] },
      },
    },
  ];

  it.each(Object.keys(CALLS))('make %s throw LOG_BAD_ANSWER, LOG_GRAPHQL or LOG_NOT_FOUND', async (name) => {
    for (const answer of ANSWERS) {
      const { client } = await start((_, response) => sendJson(response, answer));
      const error = await CALLS[name]!(client).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(LogException);
      expect((error as LogException).code).toMatch(/^(LOG_BAD_ANSWER|LOG_GRAPHQL|LOG_NOT_FOUND)$/);
    }
  });

  it('cause an error that names the request and the missing field', async () => {
    const { client } = await startGraphql({ createSavedQuery: {} });
    await expect(client.createSavedQuery('q', '*')).rejects.toMatchObject({
      name: 'LogHTTPException',
      code: 'LOG_BAD_ANSWER',
      message: 'The response to POST /graphql has no "createSavedQuery.savedQuery".',
      body: '{"createSavedQuery":{}}',
    });
  });
});

describe('Saved queries', () => {
  const saved = {
    id: 'q1',
    name: 'Q',
    displayName: 'Q',
    description: null,
    query: { queryString: 'a="b"', start: '1h', end: 'now', isLive: false },
  };

  it('are created, listed, updated and deleted with GraphQL variables', async () => {
    const { service, client } = await startGraphql({
      createSavedQuery: { savedQuery: saved },
      searchDomain: { savedQueries: [saved] },
      updateSavedQuery: { savedQuery: saved },
      deleteSavedQuery: { result: true },
    });
    expect(await client.createSavedQuery('Q', 'a="b"', { start: '1h', isLive: false })).toEqual(saved);
    expect(await client.listSavedQueries()).toEqual([saved]);
    expect(await client.updateSavedQuery('q1', { queryString: lql`a=${'b c'}` })).toEqual(saved);
    expect(await client.deleteSavedQuery('q1')).toBe(true);
    expect([0, 1, 2, 3].map((index) => asked(service, index))).toEqual([
      {
        field: 'createSavedQuery',
        variables: {
          input: { viewName: 'my repo', name: 'Q', queryString: 'a="b"', start: '1h', isLive: false },
        },
      },
      { field: 'searchDomain', variables: { repository: 'my repo' } },
      {
        field: 'updateSavedQuery',
        variables: { input: { viewName: 'my repo', id: 'q1', queryString: 'a="b c"' } },
      },
      { field: 'deleteSavedQuery', variables: { input: { viewName: 'my repo', id: 'q1' } } },
    ]);
  });
});

describe('Ingest tokens, parsers, repositories and views', () => {
  it('are managed with the matching GraphQL fields and variables', async () => {
    const token = { name: 't', token: 'x', parser: null };
    const { service, client } = await startGraphql({
      repository: { ingestTokens: [token], parsers: [{ id: 'p', name: 'kv', isBuiltIn: true }] },
      addIngestTokenV3: token,
      assignParserToIngestTokenV2: token,
      removeIngestToken: { result: true },
      createParserV2: { id: 'p' },
      deleteParser: { result: true },
      repositories: [{ id: 'r', name: 'r' }],
      searchDomains: [{ name: 'r' }],
      createRepository: { repository: { id: 'n', name: 'n' } },
      createView: { name: 'v' },
      deleteSearchDomain: { result: true },
    });
    expect(await client.listIngestTokens()).toEqual([token]);
    expect(await client.addIngestToken('t', { parser: 'kv' })).toEqual(token);
    expect(await client.assignParserToIngestToken('t', 'kv')).toEqual(token);
    expect(await client.removeIngestToken('t')).toBe(true);
    expect(await client.listParsers()).toEqual([{ id: 'p', name: 'kv', isBuiltIn: true }]);
    expect(await client.createParser('kv', 'kvParse()', { fieldsToTag: ['a'] })).toEqual({ id: 'p' });
    expect(await client.deleteParser('p')).toBe(true);
    expect(await client.listRepositories()).toEqual([{ id: 'r', name: 'r' }]);
    expect(await client.listSearchDomains()).toEqual([{ name: 'r' }]);
    expect(await client.createRepository('n')).toEqual({ id: 'n', name: 'n' });
    expect(await client.createView('v', [{ repositoryName: 'r', filter: '*' }])).toEqual({ name: 'v' });
    expect(await client.deleteSearchDomain('v')).toBe(true);
    const repository = 'my repo';
    expect(service.requests.map((_, index) => asked(service, index))).toEqual([
      { field: 'repository', variables: { repository } },
      { field: 'addIngestTokenV3', variables: { repository, name: 't', parser: 'kv' } },
      { field: 'assignParserToIngestTokenV2', variables: { repository, name: 't', parser: 'kv' } },
      { field: 'removeIngestToken', variables: { repository, name: 't' } },
      { field: 'repository', variables: { repository } },
      {
        field: 'createParserV2',
        variables: {
          input: {
            repositoryName: repository,
            name: 'kv',
            script: 'kvParse()',
            testCases: [],
            fieldsToTag: ['a'],
            fieldsToBeRemovedBeforeParsing: [],
            allowOverwritingExistingParser: false,
          },
        },
      },
      { field: 'deleteParser', variables: { repository, id: 'p' } },
      { field: 'repositories', variables: undefined },
      { field: 'searchDomains', variables: undefined },
      { field: 'createRepository', variables: { name: 'n' } },
      { field: 'createView', variables: { name: 'v', connections: [{ repositoryName: 'r', filter: '*' }] } },
      { field: 'deleteSearchDomain', variables: { name: 'v', deleteMessage: '' } },
    ]);
  });
});
