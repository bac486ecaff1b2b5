import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse, valueFromASTUntyped } from 'graphql';
import { beforeEach, describe, expect, it } from 'vitest';
import { LogIngestClient } from '../../src/client/ingest-client.ts';
import { LogClient } from '../../src/client/log-client.ts';
import { collect } from '../helpers/collect.ts';
import { type HttpService, type ReceivedRequest, sendJson, startService } from '../helpers/http-service.ts';
import { pollAnswer } from '../helpers/query-answers.ts';

// The requests of the Python client, recorded by record.py, and those of the same calls of this client.

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
  readonly accept: string;
  readonly body?: unknown;
  readonly file?: { readonly part: string; readonly content: string };
}

const { requests: RECORDED, source } = JSON.parse(
  await readFile(resolve(import.meta.dirname, 'recorded-requests.json'), 'utf8'),
) as { source: string; requests: Readonly<Record<string, readonly Recorded[]>> };

const GRAPHQL = {
  searchOrganizations: { totalResults: 0, results: [] },
  createEmptyOrganization: { id: 'o1', name: 'acme' },
  searchDomain: { files: [], savedQueries: [] },
  newFile: {},
  getFileContent: {},
  updateFile: {},
  removeFile: { result: true },
  createSavedQuery: { savedQuery: {} },
  updateSavedQuery: { savedQuery: {} },
  deleteSavedQuery: { result: true },
};

let service: HttpService;
let client: LogClient;
let ingest: LogIngestClient;
beforeEach(async () => {
  service = await startService(({ method, path }, response) => {
    if (path.includes('/queryjobs/')) {
      return method === 'DELETE' ? response.writeHead(204).end() : sendJson(response, pollAnswer());
    }
    if (path.endsWith('/queryjobs')) return sendJson(response, { id: '7-job' });
    if (path.endsWith('/query')) return response.writeHead(200).end();
    if (path.endsWith('/users') && method === 'GET')
      return sendJson(response, [{ email: 'ann@example.com', userID: 'u1' }]);
    return sendJson(response, path === '/graphql' ? { data: GRAPHQL } : { status: 'OK', version: '1' });
  });
  const { url: baseUrl } = service;
  client = new LogClient({ baseUrl, repository: 'sandbox', userToken: 'user-token' });
  ingest = new LogIngestClient({ baseUrl, ingestToken: 'ingest-token' });
});

const EVENTS = [{ timestamp: '2026-02-03T10:00:00+01:00', attributes: { level: 'error' } }];
const GROUPS = [{ tags: { host: 'web-7' }, events: EVENTS }];
const QUERY = {
  start: '2h',
  end: 'now',
  timeZoneOffsetMinutes: 120,
  arguments: { level: 'error' },
  rawData: { noResultUntilDone: true },
};
const LIVE = { isLive: true, start: '1h' } as const;
const MESSAGE = { parser: 'kv', fields: { f: '1' }, tags: { t: '2' } };
const FILE = { name: 'hosts.csv', content: 'host,owner\nweb-7,ann\n' };

/** The replacement of each recorded call. */
const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  streaming_query: () => collect(client.streamingQuery('level=error')),
  'streaming_query with options': () => collect(client.streamingQuery('level=?level', QUERY)),
  // A live query has no end, so that the end of the response is an error.
  'streaming_query, live': () => collect(client.streamingQuery('level=error', LIVE)).catch(() => {}),
  'streaming_query with headers': () =>
    collect(client.streamingQuery('*', { headers: { Accept: 'text/plain' } })),
  create_queryjob: () => client.createQueryJob('count()'),
  'create_queryjob with options': () => client.createQueryJob('count(?level)', QUERY),
  'create_queryjob, live, and its end': async () => {
    await using _ = await client.createQueryJob('count()', LIVE);
  },
  'create_queryjob, static': () => client.createQueryJob('count()', { isLive: false, start: 0, end: 1 }),
  poll: async () => (await client.createQueryJob('*')).poll(),
  poll_until_done: async () => collect((await client.createQueryJob('*')).pollUntilDone()),
  ingest_json_data: () => client.ingestJsonData(GROUPS),
  'ingest_json_data without events': () => client.ingestJsonData(),
  ingest_messages: () => client.ingestMessages(['a', 'b']),
  'ingest_messages with options': () => client.ingestMessages(['a'], MESSAGE),
  'ingest_messages without messages': () => client.ingestMessages(),
  'ingest client: ingest_json_data': () => ingest.ingestJsonData(GROUPS),
  'ingest client: ingest_json_data without events': () => ingest.ingestJsonData(),
  'ingest client: ingest_messages': () => ingest.ingestMessages(['a']),
  'ingest client: ingest_messages with options': () => ingest.ingestMessages(['a'], MESSAGE),
  get_status: () => client.getStatus(),
  get_users: () => client.getUsers(),
  get_user_by_email: () => client.getUserByEmail('ann@example.com'),
  create_user: () => client.createUser('ann@example.com'),
  'create_user, root': () => client.createUser('ann@example.com', { isRoot: true }),
  delete_user_by_id: () => client.deleteUserById('u1'),
  delete_user_by_email: () => client.deleteUserByEmail('ann@example.com'),
  'delete_user_by_email, unknown': () => client.deleteUserByEmail('bob@example.com'),
  list_organizations: () => client.listOrganizations(),
  create_organization: () => client.createOrganization('acme', { description: 'makes everything' }),
  upload_file: () => client.uploadFile(FILE),
  get_file: () => client.getFile('hosts.csv'),
  'get_file with an encoding': () => client.getFile('hosts.csv', { encoding: 'utf-8' }),
  create_file: () => client.createFile('hosts.csv'),
  list_files: () => client.listFiles(),
  get_file_content: () => client.getFileContent('hosts.csv'),
  'get_file_content with options': () =>
    client.getFileContent('hosts.csv', { offset: 5, limit: 10, filterString: 'web' }),
  add_file_contents: () => client.addFileContents('hosts.csv', ['host'], [['web-7']]),
  'add_file_contents with options': () =>
    client.addFileContents('hosts.csv', ['host', 'b'], [['web-7', '']], {
      columnChanges: [{ changeKind: 'Add', index: 1 }],
      offset: 3,
      limit: 1,
    }),
  remove_file_contents: () => client.removeFileContents('hosts.csv'),
  'remove_file_contents with options': () => client.removeFileContents('hosts.csv', { offset: 3, limit: 1 }),
  delete_file: () => client.deleteFile('hosts.csv'),
  create_saved_query: () => client.createSavedQuery('errors', 'level=error'),
  list_saved_queries: () => client.listSavedQueries(),
  update_saved_query: () => client.updateSavedQuery('q1', { name: 'fatal', queryString: 'level=fatal' }),
  delete_saved_query: () => client.deleteSavedQuery('q1'),
};

/** The requests that differ on purpose, and what this client sends instead. */
const DIFFERENCES: Readonly<Record<string, object>> = {
  // Endpoints of a service behind a proxy can need a token.
  get_status: { authorization: 'Bearer user-token' },
  // Current versions of the service have neither of the fields of the Python client.
  list_organizations: { asks: [{ searchOrganizations: { sortBy: 'Name', skip: 0, limit: 100 } }] },
  create_organization: {
    asks: [{ createEmptyOrganization: { name: 'acme', description: 'makes everything' } }],
  },
  // Views have saved queries, too.
  list_saved_queries: { asks: [{ searchDomain: { name: 'sandbox' } }] },
};

/** What the service reads from a request. */
interface Meaning {
  readonly call: string;
  readonly authorization: string | undefined;
  readonly accept: string | undefined;
  /** The fields of a GraphQL request with the values of their arguments. */
  readonly asks: readonly object[] | undefined;
  readonly body: unknown;
  readonly file: object | undefined;
}

function meaningOf(request: Omit<Recorded, 'authorization'> & { authorization?: string | null }): Meaning {
  const { method, body, authorization, accept, file } = request;
  // `dataspaces` is the old name of `repositories`; the service knows both.
  const path = request.path.replace('/dataspaces/', '/repositories/');
  const isGraphql = path === '/graphql';
  return {
    call: `${method} ${path}`,
    authorization: authorization ?? undefined,
    accept: path.endsWith('/query') ? accept : undefined,
    asks: isGraphql ? asksOf(body as GraphqlBody) : undefined,
    body: isGraphql ? undefined : body,
    file,
  };
}

interface GraphqlBody {
  readonly query: string;
  readonly variables?: Record<string, unknown> | null;
}

function asksOf({ query, variables }: GraphqlBody): object[] {
  const [operation] = parse(query).definitions;
  if (operation?.kind !== 'OperationDefinition') throw new Error('not an operation');
  return operation.selectionSet.selections.map((field) => {
    if (field.kind !== 'Field') throw new Error('not a field');
    const given = (field.arguments ?? []).map(
      ({ name, value }) => [name.value, valueFromASTUntyped(value, variables)] as const,
    );
    return { [field.name.value]: Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
  });
}

function recordOf({ method, path, headers, body }: ReceivedRequest): Recorded {
  const text = body.toString();
  const { authorization = null, accept = '' } = headers;
  const sent = { method, path, authorization, accept };
  if (text === '') return sent;
  if (!headers['content-type']?.startsWith('multipart/')) return { ...sent, body: JSON.parse(text) };
  const [head = '', content = ''] = text.split('\r\n\r\n');
  return {
    ...sent,
    file: { part: head.split('\r\n')[1] ?? '', content: content.slice(0, content.lastIndexOf('\r\n--')) },
  };
}

describe('The requests of the Python client and of this client agree', () => {
  it.each(Object.entries(RECORDED))('in %s', async (name, recorded) => {
    await CALLS[name]!();
    const sent = service.requests.map((request) => meaningOf(recordOf(request)));
    const expected = recorded.map((request) => ({ ...meaningOf(request), ...DIFFERENCES[name] }));
    expect(sent).toEqual(expected);
  });

  it('and every recorded call has a replacement, with a source that says how it was recorded', () => {
    expect(Object.keys(CALLS)).toEqual(Object.keys(RECORDED));
    expect(source).toContain('ecorded');
  });

  it.each(Object.entries(DIFFERENCES))(
    'except in %s, which differs from the recording',
    (name, difference) => {
      const [request] = RECORDED[name]!;
      expect(meaningOf(request!)).not.toMatchObject(difference);
    },
  );
});
