import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as logclient from '../../src/index.ts';
import { LiveQueryJob, LogClient, LogIngestClient, PollResult, StaticQueryJob } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { closedPort } from '../helpers/closed-port.ts';
import { collect } from '../helpers/collect.ts';
import { startService } from '../helpers/http-service.ts';
import { EVENTS, FILE_TEXT, startStub, USER } from './behaviors-stub.ts';

// What the documentation of the Python client promises, one row for each promise: operations, parameters, results,
// defaults and exceptions. Each runs against the local server and against a stub that records the requests.

interface Clients {
  readonly baseUrl: string;
  readonly client: LogClient;
  readonly ingest: LogIngestClient;
  readonly folder: string;
}

interface Behavior {
  readonly says: string;
  readonly check: (clients: Clients) => Promise<void>;
  /** What the stub must receive: the last request, or parts of its body. */
  readonly sends?: string | readonly [call: string, body: unknown];
}

const REPOSITORY = '/api/v1/repositories/sandbox';
const STREAM = `POST ${REPOSITORY}/query`;
const JOBS = `POST ${REPOSITORY}/queryjobs`;
const QUERY = 'level=error';
const HEADERS = { 'x-trace': 'a' };

/** The parameters that both kinds of queries have. */
const PARAMETERS: readonly (readonly [says: string, options: logclient.QueryOptions, sent: object])[] = [
  ['start as a string', { start: '2h' }, { start: '2h' }],
  ['start as an integer', { start: 1 }, { start: 1 }],
  ['end as a string', { start: '2h', end: 'now' }, { start: '2h', end: 'now' }],
  ['end as an integer', { start: 1, end: 9e12 }, { start: 1, end: 9e12 }],
  ['timezone_offset_minutes', { timeZoneOffsetMinutes: 60 }, { timeZoneOffsetMinutes: 60 }],
  ['arguments', { arguments: { a: 'b' } }, { arguments: { a: 'b' } }],
  ['raw_data, which adds members to the body', { rawData: { isInteractive: true } }, { isInteractive: true }],
  ['is_live=False', { isLive: false }, { isLive: false }],
  ['keyword arguments of the request: headers and a timeout', { headers: HEADERS, timeoutMs: 9_000 }, {}],
];

const QUERIES: readonly Behavior[] = [
  {
    says: 'streaming_query yields the results as objects',
    check: async ({ client }) => {
      const events = await collect(client.streamingQuery(QUERY));
      expect(events).toHaveLength(2);
      expect(events[0]).toMatchObject({ level: 'error', '@timestamp': expect.any(Number) });
    },
    sends: [STREAM, { queryString: QUERY }],
  },
  ...PARAMETERS.map(
    ([says, options, sent]): Behavior => ({
      says: `streaming_query accepts ${says}`,
      check: async ({ client }) => {
        expect(await collect(client.streamingQuery(QUERY, options))).toHaveLength(2);
      },
      sends: [STREAM, { queryString: QUERY, ...sent }],
    }),
  ),
  {
    says: 'streaming_query with is_live=True yields events, and fails if no data arrives for a while',
    check: async ({ client }) => {
      const events: unknown[] = [];
      const read = async () => {
        const options = { isLive: true, start: '1h', idleTimeoutMs: 500 };
        for await (const event of client.streamingQuery(QUERY, options)) events.push(event);
      };
      await expect(read()).rejects.toBeInstanceOf(logclient.LogConnectionDroppedException);
      expect(events).toHaveLength(2);
    },
    sends: [STREAM, { queryString: QUERY, isLive: true, start: '1h' }],
  },
  {
    says: 'create_queryjob returns a static job by default',
    check: async ({ client }) => {
      const job = await client.createQueryJob(QUERY);
      expect(job).toBeInstanceOf(StaticQueryJob);
      expect(job.id).toMatch(/./);
    },
    sends: [JOBS, { queryString: QUERY }],
  },
  {
    says: 'create_queryjob with is_live=True returns a live job',
    check: async ({ client }) => {
      expect(await client.createQueryJob(QUERY, { isLive: true })).toBeInstanceOf(LiveQueryJob);
    },
    sends: [JOBS, { queryString: QUERY, isLive: true }],
  },
  ...PARAMETERS.map(
    ([says, options, sent]): Behavior => ({
      says: `create_queryjob accepts ${says}`,
      check: async ({ client }) => {
        expect(await client.createQueryJob(QUERY, options)).toBeInstanceOf(StaticQueryJob);
      },
      sends: [JOBS, { queryString: QUERY, ...sent }],
    }),
  ),
  {
    says: 'an incorrect query raises an HTTP exception with the message and status of the service',
    check: async ({ client }) => {
      const error = await client.createQueryJob('timechart(func=nowork)').catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(logclient.LogHTTPException);
      expect(error).toMatchObject({ statusCode: 400, message: expect.stringMatching(/timechart/i) });
    },
  },
];

const JOB_BEHAVIORS: readonly Behavior[] = [
  {
    says: 'poll returns a PollResult with events and metadata',
    check: async ({ client }) => {
      const result = await (await client.createQueryJob(QUERY)).poll();
      expect(result).toBeInstanceOf(PollResult);
      expect(result.events).toHaveLength(2);
      expect(result.metadata).toMatchObject({ isAggregate: false, pollAfter: expect.any(Number) });
    },
    sends: `GET ${REPOSITORY}/queryjobs/7-job`,
  },
  {
    says: 'poll accepts headers',
    check: async ({ client }) => {
      const job = await client.createQueryJob(QUERY);
      expect((await job.poll({ headers: HEADERS })).events).toHaveLength(2);
    },
  },
  {
    says: 'poll of a static job whose results were all polled raises the exhausted exception',
    check: async ({ client }) => {
      const job = await client.createQueryJob(QUERY);
      await job.poll();
      await expect(job.poll()).rejects.toBeInstanceOf(logclient.LogQueryJobExhaustedException);
    },
  },
  {
    says: 'poll_until_done generates the results of a filter query',
    check: async ({ client }) => {
      const results = await collect((await client.createQueryJob(QUERY)).pollUntilDone());
      expect(results.flatMap(({ events }) => events)).toHaveLength(2);
    },
  },
  {
    says: 'poll_until_done generates one result of an aggregate query',
    check: async ({ client }) => {
      const results = await collect((await client.createQueryJob('count()')).pollUntilDone());
      expect(results).toMatchObject([{ metadata: { isAggregate: true }, events: [{}] }]);
    },
  },
  {
    says: 'poll_until_done after the last result raises the exhausted exception',
    check: async ({ client }) => {
      const job = await client.createQueryJob('count()');
      await collect(job.pollUntilDone());
      await expect(collect(job.pollUntilDone())).rejects.toMatchObject({ code: 'LOG_JOB_EXHAUSTED' });
    },
  },
  {
    says: 'poll of a live job can be repeated, and returns the current result each time',
    check: async ({ client }) => {
      const job = await client.createQueryJob(QUERY, { isLive: true, start: '1h' });
      for (let i = 0; i < 3; i++) expect((await job.poll()).events).toHaveLength(2);
    },
  },
  {
    says: 'the end of a live job deletes it',
    check: async ({ client }) => {
      const job = await client.createQueryJob(QUERY, { isLive: true });
      await job[Symbol.asyncDispose]();
      await expect(job.poll()).rejects.toBeInstanceOf(logclient.LogQueryJobExpiredException);
    },
    sends: `DELETE ${REPOSITORY}/queryjobs/7-job`,
  },
  {
    says: 'the deletion of a live job that no longer exists does not fail',
    check: async ({ client }) => {
      await client.queryJob('unknown', { isLive: true }).delete();
    },
    sends: `DELETE ${REPOSITORY}/queryjobs/unknown`,
  },
  {
    says: 'poll of a job that expired raises the expired exception',
    check: async ({ client }) => {
      const poll = client.queryJob('unknown').poll();
      await expect(poll).rejects.toBeInstanceOf(logclient.LogQueryJobExpiredException);
    },
    sends: `GET ${REPOSITORY}/queryjobs/unknown`,
  },
  ...[false, true].map(
    (isLive): Behavior => ({
      says: `a ${isLive ? 'live' : 'static'} job can be built from its ID`,
      check: async ({ client }) => {
        const created = await client.createQueryJob(QUERY, { isLive, start: '1h' });
        const job = client.queryJob(created.id, { isLive, session: created.session });
        expect((await job.poll()).events).toHaveLength(2);
      },
      sends: `GET ${REPOSITORY}/queryjobs/7-job`,
    }),
  ),
];

type Ingesting = readonly [
  name: string,
  of: (clients: Clients) => LogClient | LogIngestClient,
  paths: string[],
];

const INGESTING: readonly Ingesting[] = [
  ['the client', ({ client }) => client, [`${REPOSITORY}/ingest`, `${REPOSITORY}/ingest-messages`]],
  [
    'the ingest client',
    ({ ingest }) => ingest,
    ['/api/v1/ingest/humio-structured', '/api/v1/ingest/humio-unstructured'],
  ],
];

const INGEST = INGESTING.flatMap(([name, of, [structured, unstructured]]): Behavior[] => {
  const groups = [
    { tags: { host: 'web-7' }, events: [{ timestamp: '2020-03-23T00:00:00+00:00', attributes: { k: 'v' } }] },
  ];
  const messages = (says: string, options: logclient.IngestMessagesOptions, sent: object): Behavior => ({
    says: `ingest_messages of ${name} accepts ${says}`,
    check: async (clients) => {
      expect(await of(clients).ingestMessages(['a=1', 'a=2'], options)).toEqual({});
    },
    sends: [`POST ${unstructured}`, [{ messages: ['a=1', 'a=2'], ...sent }]],
  });
  return [
    {
      says: `ingest_json_data of ${name} sends structured data and returns the JSON of the response`,
      check: async (clients) => {
        expect(await of(clients).ingestJsonData(groups)).toEqual({});
      },
      sends: [`POST ${structured}`, groups],
    },
    {
      says: `ingest_json_data of ${name} sends an empty list by default`,
      check: async (clients) => {
        expect(await of(clients).ingestJsonData()).toEqual({});
      },
      sends: [`POST ${structured}`, []],
    },
    messages('messages alone, and returns the JSON of the response', {}, {}),
    messages('a parser', { parser: 'kv' }, { type: 'kv' }),
    messages('fields', { fields: { f: '1' } }, { fields: { f: '1' } }),
    messages('tags', { tags: { t: '2' } }, { tags: { t: '2' } }),
    messages('headers', { headers: HEADERS }, {}),
    {
      says: `ingest_messages of ${name} sends no messages by default`,
      check: async (clients) => {
        expect(await of(clients).ingestMessages()).toEqual({});
      },
      sends: [`POST ${unstructured}`, [{ messages: [] }]],
    },
  ];
});

const MANAGEMENT: readonly Behavior[] = [
  {
    says: 'get_status returns the status and version',
    check: async ({ client }) => {
      expect(await client.getStatus()).toMatchObject({ status: 'OK', version: expect.any(String) });
    },
    sends: 'GET /api/v1/status',
  },
  {
    says: 'get_users returns all users',
    check: async ({ client }) => {
      expect(await client.getUsers()).toContainEqual(expect.objectContaining({ email: USER }));
    },
    sends: 'GET /api/v1/users',
  },
  {
    says: 'get_user_by_email returns the user',
    check: async ({ client }) => {
      expect(await client.getUserByEmail(USER)).toMatchObject({ email: USER, userID: expect.any(String) });
    },
  },
  {
    says: 'get_user_by_email returns nothing for an unknown user',
    check: async ({ client }) => {
      expect(await client.getUserByEmail('unknown@example.com')).toBeUndefined();
    },
  },
  {
    says: 'create_user is idempotent, and its user is not root by default',
    check: async ({ client }) => {
      expect(await client.createUser(USER)).toMatchObject({ email: USER });
    },
    sends: ['POST /api/v1/users', { email: USER, isRoot: false }],
  },
  {
    says: 'create_user creates a root user with isRoot=True',
    check: async ({ client }) => {
      expect(await client.createUser('root@example.com', { isRoot: true })).toMatchObject({ isRoot: true });
    },
    sends: ['POST /api/v1/users', { email: 'root@example.com', isRoot: true }],
  },
  {
    says: 'delete_user_by_id deletes a user and returns the JSON of the response',
    check: async ({ client }) => {
      const { userID } = await client.createUser('bob@example.com');
      expect(await client.deleteUserById(userID)).toMatchObject({ userID });
    },
    sends: 'DELETE /api/v1/users/u1',
  },
  {
    says: 'delete_user_by_id raises an HTTP exception for an unknown user',
    check: async ({ client }) => {
      await expect(client.deleteUserById('unknown')).rejects.toMatchObject({ statusCode: 404 });
    },
  },
  {
    says: 'delete_user_by_email deletes a user and returns the JSON of the response',
    check: async ({ client }) => {
      await client.createUser('carl@example.com');
      expect(await client.deleteUserByEmail('carl@example.com')).toMatchObject({
        userID: expect.any(String),
      });
    },
    sends: 'DELETE /api/v1/users/u1',
  },
  {
    says: 'delete_user_by_email returns nothing for an unknown user',
    check: async ({ client }) => {
      expect(await client.deleteUserByEmail('unknown@example.com')).toBeUndefined();
    },
    sends: 'GET /api/v1/users',
  },
  {
    says: 'create_organization creates an organization with a description',
    check: async ({ client }) => {
      const options = { description: 'makes everything' };
      expect(await client.createOrganization('acme', options)).toMatchObject({ id: expect.any(String) });
    },
  },
  {
    says: 'list_organizations returns the organizations',
    check: async ({ client }) => {
      await client.createOrganization('acme');
      expect(await client.listOrganizations()).toContainEqual(expect.objectContaining({ name: 'acme' }));
    },
  },
];

const FILES: readonly Behavior[] = [
  {
    says: 'upload_file uploads a file from a path',
    check: async ({ client, folder }) => {
      await writeFile(join(folder, 'uploaded.csv'), FILE_TEXT);
      expect(await client.uploadFile(join(folder, 'uploaded.csv'))).toBeUndefined();
    },
    sends: `POST ${REPOSITORY}/files`,
  },
  {
    says: 'get_file returns the bytes of a file by default',
    check: async ({ client }) => {
      const bytes = await client.getFile('hosts.csv');
      expect(Buffer.from(bytes).toString()).toBe(FILE_TEXT);
    },
    sends: `GET ${REPOSITORY}/files/hosts.csv`,
  },
  {
    says: 'get_file returns a string with an encoding',
    check: async ({ client }) => {
      expect(await client.getFile('hosts.csv', { encoding: 'utf-8' })).toBe(FILE_TEXT);
    },
  },
  {
    says: 'list_files returns the names of the files',
    check: async ({ client }) => {
      const names = (await client.listFiles()).map(({ nameAndPath }) => nameAndPath.name);
      expect(names).toContain('hosts.csv');
    },
  },
  {
    says: 'create_file creates a file',
    check: async ({ client }) => {
      expect(await client.createFile('new.csv')).toMatchObject({ nameAndPath: { name: 'new.csv' } });
    },
  },
  {
    says: 'get_file_content returns the first 200 rows by default',
    check: async ({ client }) => {
      expect(await client.getFileContent('hosts.csv')).toMatchObject({
        headers: ['host', 'owner'],
        lines: [
          ['web-7', 'ann'],
          ['web-8', 'bob'],
        ],
        totalLinesCount: 2,
        offset: 0,
        limit: 200,
      });
    },
  },
  {
    says: 'get_file_content accepts offset and limit',
    check: async ({ client }) => {
      const content = await client.getFileContent('hosts.csv', { offset: 1, limit: 1 });
      expect(content).toMatchObject({ lines: [['web-8', 'bob']], offset: 1, limit: 1 });
    },
  },
  {
    says: 'get_file_content accepts filter_string',
    check: async ({ client }) => {
      const { lines } = await client.getFileContent('hosts.csv', { filterString: 'bob' });
      expect(lines).toEqual([['web-8', 'bob']]);
    },
  },
  {
    says: 'add_file_contents replaces the first 200 rows by default',
    check: async ({ client }) => {
      await client.uploadFile({ name: 'add.csv', content: FILE_TEXT });
      const edited = await client.addFileContents('add.csv', ['host', 'owner'], [['web-9', 'carl']]);
      expect(edited).toMatchObject({ lines: [['web-9', 'carl']], totalLinesCount: 1 });
    },
  },
  {
    says: 'add_file_contents accepts offset and limit: an offset at the end adds rows',
    check: async ({ client }) => {
      await client.uploadFile({ name: 'add.csv', content: FILE_TEXT });
      const rows = [['web-9', 'carl']];
      const edited = await client.addFileContents('add.csv', ['host', 'owner'], rows, { offset: 2 });
      expect(edited.totalLinesCount).toBe(3);
    },
  },
  {
    says: 'add_file_contents accepts column_changes',
    check: async ({ client }) => {
      await client.uploadFile({ name: 'columns.csv', content: FILE_TEXT });
      const columnChanges = [{ changeKind: 'Add', index: 2 }] as const;
      const rows = [['web-7', 'ann', 'oslo']];
      const edited = await client.addFileContents('columns.csv', ['host', 'owner', 'site'], rows, {
        columnChanges,
        limit: 1,
      });
      expect(edited.headers).toEqual(['host', 'owner', 'site']);
    },
  },
  {
    says: 'remove_file_contents removes the first 200 rows by default',
    check: async ({ client }) => {
      await client.uploadFile({ name: 'remove.csv', content: FILE_TEXT });
      expect((await client.removeFileContents('remove.csv')).totalLinesCount).toBe(0);
    },
  },
  {
    says: 'remove_file_contents accepts offset and limit',
    check: async ({ client }) => {
      await client.uploadFile({ name: 'remove.csv', content: FILE_TEXT });
      const { totalLinesCount } = await client.removeFileContents('remove.csv', { offset: 1, limit: 1 });
      expect(totalLinesCount).toBe(1);
    },
  },
  {
    says: 'delete_file deletes a file',
    check: async ({ client }) => {
      await client.uploadFile({ name: 'delete.csv', content: FILE_TEXT });
      expect(await client.deleteFile('delete.csv')).toBe(true);
    },
  },
];

const SAVED_QUERIES: readonly Behavior[] = [
  {
    says: 'create_saved_query saves a query under a name',
    check: async ({ client }) => {
      const saved = await client.createSavedQuery('created', 'level=error');
      expect(saved).toMatchObject({ id: expect.any(String), name: 'created' });
    },
  },
  {
    says: 'list_saved_queries returns the ID, names and text of saved queries',
    check: async ({ client }) => {
      const saved = (await client.listSavedQueries()).find(({ name }) => name === 'errors');
      expect(saved).toMatchObject({ displayName: 'errors', query: { queryString: 'level=error' } });
    },
  },
  {
    says: 'update_saved_query changes the name and text of a saved query',
    check: async ({ client }) => {
      const { id } = await client.createSavedQuery('before', '*');
      const changes = { name: 'after', queryString: 'level=fatal' };
      expect(await client.updateSavedQuery(id, changes)).toMatchObject({ name: 'after' });
    },
  },
  {
    says: 'delete_saved_query deletes a saved query',
    check: async ({ client }) => {
      const { id } = await client.createSavedQuery('deleted', '*');
      expect(await client.deleteSavedQuery(id)).toBe(true);
    },
  },
];

const CALLER: readonly Behavior[] = [
  {
    says: 'the default address is http://localhost:3000',
    check: async () => {
      expect(new logclient.WebCaller().baseUrl).toBe('http://localhost:3000/');
    },
  },
  {
    says: 'clients show their address, and the repository',
    check: async ({ client, ingest, baseUrl }) => {
      expect([client.baseUrl, ingest.baseUrl]).toEqual([`${baseUrl}/`, `${baseUrl}/`]);
      expect(client.repository).toBe('sandbox');
    },
  },
  {
    says: 'call_rest calls an endpoint below /api/v1/',
    check: async ({ client }) => {
      const response = await client.webCaller.callRest('get', 'status', { headers: HEADERS });
      expect(await response.json()).toMatchObject({ status: 'OK' });
    },
    sends: 'GET /api/v1/status',
  },
  {
    says: 'call_rest accepts data and files',
    check: async ({ client }) => {
      const { webCaller } = client;
      const data = { queryString: QUERY, start: '1h' };
      const response = await webCaller.callRest('post', 'dataspaces/sandbox/queryjobs', { data });
      expect(await response.json()).toHaveProperty('id');
      const files = [{ name: 'rest.csv', content: FILE_TEXT }];
      await (await webCaller.callRest('post', 'dataspaces/sandbox/files', { files })).bytes();
    },
    sends: 'POST /api/v1/dataspaces/sandbox/files',
  },
  {
    says: 'call_graphql calls the GraphQL endpoint',
    check: async ({ client }) => {
      const data = { query: '{ searchDomain(name: "sandbox") { files { nameAndPath { name } } } }' };
      expect(await client.webCaller.callGraphql({ data })).toHaveProperty('searchDomain.files');
    },
    sends: 'POST /graphql',
  },
  {
    says: 'response_as_json wraps a function, and returns the JSON of its response',
    check: async ({ client }) => {
      const status = logclient.WebCaller.responseAsJson(() => client.webCaller.callRest('GET', 'status'));
      expect(await status()).toMatchObject({ status: 'OK' });
    },
  },
  {
    says: 'WebStreamer yields the lines of a stream',
    check: async ({ client }) => {
      const response = await client.webCaller.callRest('POST', 'dataspaces/sandbox/query', {
        data: { queryString: QUERY },
        headers: { accept: 'application/x-ndjson' },
        stream: true,
      });
      const lines = await collect(new logclient.WebStreamer(response));
      expect(lines.map((line) => JSON.parse(line).level)).toEqual(['error', 'error']);
    },
  },
];

const EXCEPTIONS: readonly Behavior[] = [
  {
    says: 'a refused connection raises the connection exception',
    check: async ({ client }) => {
      const baseUrl = `http://127.0.0.1:${await closedPort()}`;
      const unreachable = new LogClient({ baseUrl, repository: client.repository, userToken: 'a' });
      await expect(unreachable.getStatus()).rejects.toBeInstanceOf(logclient.LogConnectionException);
    },
  },
  {
    says: 'an elapsed time limit raises the timeout exception',
    check: async ({ client }) => {
      const { url: baseUrl } = await startService(() => {});
      const silent = new LogClient({ baseUrl, repository: client.repository, userToken: 'a' });
      const status = silent.getStatus({ timeoutMs: 50 });
      await expect(status).rejects.toBeInstanceOf(logclient.LogTimeoutException);
    },
  },
  {
    says: 'an error status raises the HTTP exception with message and status_code',
    check: async ({ client }) => {
      const error = await client.webCaller.callRest('GET', 'unknown').catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(logclient.LogHTTPException);
      expect(error).toMatchObject({ statusCode: 404, message: expect.stringContaining('404') });
    },
  },
  {
    says: 'the HTTP exception is built from a message and, optionally, a status',
    check: async () => {
      expect(new logclient.LogHTTPException('boom', 404)).toMatchObject({ message: 'boom', statusCode: 404 });
      expect(new logclient.LogHTTPException('boom').message).toBe('boom');
    },
  },
  ...[
    logclient.LogHTTPException,
    logclient.LogConnectionException,
    logclient.LogConnectionDroppedException,
    logclient.LogTimeoutException,
    logclient.LogQueryJobExhaustedException,
    logclient.LogQueryJobExpiredException,
  ].map(
    (Exception): Behavior => ({
      says: `${Exception.name} is a LogException`,
      check: async () => {
        expect(Exception.prototype).toBeInstanceOf(logclient.LogException);
      },
    }),
  ),
];

const BEHAVIORS = [
  ...QUERIES,
  ...JOB_BEHAVIORS,
  ...INGEST,
  ...MANAGEMENT,
  ...FILES,
  ...SAVED_QUERIES,
  ...CALLER,
  ...EXCEPTIONS,
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-python-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  vi.stubEnv('LOGSCALE_URL', undefined);
  vi.stubEnv('HUMIO_ADDRESS', undefined);
});

function clientsOf(baseUrl: string, userToken: string, ingestToken: string): Clients {
  const client = new LogClient({ baseUrl, repository: 'sandbox', userToken });
  return { baseUrl, client, ingest: new LogIngestClient({ baseUrl, ingestToken }), folder };
}

describe('Documented behaviors of the Python client, against the local server', () => {
  it.each(BEHAVIORS)('$says', async ({ check }) => {
    await using server = await startLocalServer({ keepAliveIntervalMs: Number.POSITIVE_INFINITY });
    const clients = clientsOf(server.url, server.userToken, server.ingestToken);
    await clients.client.ingestJsonData([{ tags: {}, events: EVENTS() }]);
    await clients.client.createUser(USER);
    await clients.client.uploadFile({ name: 'hosts.csv', content: FILE_TEXT });
    await clients.client.createSavedQuery('errors', 'level=error');
    await check(clients);
  });
});

describe('Documented behaviors of the Python client, against a stub that records the requests', () => {
  it.each(BEHAVIORS)('$says', async ({ check, sends }) => {
    const stub = await startStub();
    await check(clientsOf(stub.url, 'user-token', 'ingest-token'));
    for (const { path, headers } of stub.requests) {
      const token = path.startsWith('/api/v1/ingest/') ? 'ingest-token' : 'user-token';
      expect(headers.authorization).toBe(`Bearer ${token}`);
    }
    if (sends === undefined) return;
    const [call, body] = typeof sends === 'string' ? [sends] : sends;
    expect(stub.calls.at(-1)).toBe(call);
    if (body !== undefined) expect(stub.requests.at(-1)!.json()).toEqual(body);
  });
});
