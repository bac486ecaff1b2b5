import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';

// The requests of the Python client: its headers, paths and GraphQL documents, byte for byte.

let server: Awaited<ReturnType<typeof startLocalServer>>;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.close());

const REQUESTS_HEADERS = {
  'user-agent': 'python-requests/2.31.0',
  'accept-encoding': 'gzip, deflate',
  accept: '*/*',
};

function python(
  verb: string,
  path: string,
  { body, headers }: { body?: string | Uint8Array; headers?: object } = {},
) {
  return fetch(`${server.url}${path}`, {
    method: verb,
    headers: { ...REQUESTS_HEADERS, ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : new Uint8Array(body),
  });
}

function asUser(token = server.userToken) {
  return { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
}

/** `json.dumps`: a space after each comma and colon. */
function dumps(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(dumps).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${dumps(member)}`)
    .join(', ')}}`;
}

// biome-ignore lint/suspicious/noExplicitAny: what the client does with `resp.json()`.
async function jsonOf(response: Promise<Response>): Promise<any> {
  const answer = await response;
  if (answer.status >= 400) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function graphql(query: string, variables: unknown = null) {
  return (await jsonOf(python('POST', '/graphql', { body: dumps({ query, variables }), headers: asUser() })))
    .data;
}

describe('Python client: status and users', () => {
  it('get_status returns the status OK and the version', async () => {
    expect(await jsonOf(python('GET', '/api/v1/status'))).toMatchObject({
      status: 'OK',
      version: expect.any(String),
    });
  });

  it('get_users and get_user_by_email find a created user, and delete_user_by_email deletes it', async () => {
    const body = dumps({ email: 'ada@example.org', isRoot: false });
    const created = await jsonOf(python('POST', '/api/v1/users', { body, headers: asUser() }));
    expect(created.email).toBe('ada@example.org');
    const users = (await jsonOf(python('GET', '/api/v1/users', { headers: asUser() }))) as {
      email: string;
      userID: string;
    }[];
    const user = users.find(({ email }) => email === 'ada@example.org')!;
    expect(await jsonOf(python('DELETE', `/api/v1/users/${user.userID}`, { headers: asUser() }))).toBeTypeOf(
      'object',
    );
    const left = await jsonOf(python('GET', '/api/v1/users', { headers: asUser() }));
    expect(left).not.toContainEqual(expect.objectContaining({ email: 'ada@example.org' }));
  });

  it('get_users gets a 403 with an ingest token', async () => {
    const response = await python('GET', '/api/v1/users', { headers: asUser(server.ingestToken) });
    expect([response.status, await response.text()]).toEqual([
      403,
      'The supplied authentication is not authorized to access this resource',
    ]);
  });
});

describe('Python client: organizations', () => {
  it('create_organization and list_organizations work with fields that the service has removed', async () => {
    const created = await graphql(
      'mutation($name: String!, $description: String!){createOrganization(name: $name, description: $description){organization{id}}}',
      { name: 'Acme', description: 'makes anvils' },
    );
    const { id } = created.createOrganization.organization;
    const { organizations } = await graphql('query {organizations{id, name, description}}');
    expect(organizations).toContainEqual({ id, name: 'Acme', description: 'makes anvils' });
  });
});

describe('Python client: files', () => {
  const authorization = () => ({ Authorization: `Bearer ${server.userToken}` });

  function upload(disposition: string, content: string): Promise<Response> {
    const boundary = '0123456789abcdef0123456789abcdef';
    return python('POST', '/api/v1/dataspaces/sandbox/files', {
      body: new TextEncoder().encode(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\n\r\n${content}\r\n--${boundary}--\r\n`,
      ),
      headers: { ...authorization(), 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    });
  }

  it.each([
    ['filename="hosts.csv"', 'hosts.csv'],
    ['filename="größe.csv"', 'größe.csv'],
    ["filename*=utf-8''gr%C3%B6%C3%9Fe2.csv", 'größe2.csv'],
  ])('get_file returns the content that upload_file sent with %s', async (disposition, name) => {
    const content = 'host,owner\r\nweb-1,ada\r\n';
    expect((await upload(disposition, content)).status).toBe(200);
    const path = `/api/v1/dataspaces/sandbox/files/${encodeURIComponent(name)}`;
    expect(await (await python('GET', path, { headers: authorization() })).text()).toBe(content);
  });

  const UPDATE =
    'mutation ($fileName: String!, $name: String!, $changedRows: [[String!]!]!, $headers: [String!]!, $columnChanges: [ColumnChange!]!, $limit: Int, $offset: Int) {updateFile(limit: $limit, offset: $offset, fileName: $fileName, name: $name, changedRows: $changedRows, headers: $headers, columnChanges: $columnChanges) {offset, limit, totalLinesCount, headers, lines, nameAndPath {name, path } } }';

  it('create_file makes a file that the client can edit, read, list and delete', async () => {
    const names = { fileName: 'made.csv', repo: 'sandbox' };
    expect(
      await graphql(
        'mutation($fileName : String!, $repo : String!){newFile(fileName: $fileName, name: $repo){nameAndPath { name, path}}}',
        names,
      ),
    ).toEqual({ newFile: { nameAndPath: { name: 'made.csv', path: null } } });

    const edit = { name: 'sandbox', fileName: 'made.csv', columnChanges: [], offset: 0, limit: 200 };
    const added = await graphql(UPDATE, {
      ...edit,
      changedRows: [
        ['1', 'a'],
        ['2', 'b'],
      ],
      headers: ['id', 'name'],
    });
    expect(added.updateFile).toEqual({
      offset: 0,
      limit: 200,
      totalLinesCount: 2,
      headers: ['id', 'name'],
      lines: [
        ['1', 'a'],
        ['2', 'b'],
      ],
      nameAndPath: { name: 'made.csv', path: null },
    });

    const spliced = (more: string) =>
      graphql(
        `query {getFileContent(name: "sandbox", fileName: "made.csv", offset: 0, limit: 200${more}) { totalLinesCount, limit, offset, headers, lines} }`,
      );
    expect((await spliced('')).getFileContent.totalLinesCount).toBe(2);
    expect((await spliced(', filterString: "b"')).getFileContent.lines).toEqual([['2', 'b']]);

    const removed = await graphql(UPDATE, { ...edit, changedRows: [], headers: [], limit: 1 });
    expect(removed.updateFile).toMatchObject({
      headers: ['id', 'name'],
      lines: [['2', 'b']],
      totalLinesCount: 1,
    });

    const listed = await graphql('query {searchDomain(name: "sandbox"){files {nameAndPath {path, name}} } }');
    expect(listed.searchDomain.files).toContainEqual({ nameAndPath: { path: null, name: 'made.csv' } });

    expect(
      await graphql(
        'mutation($fileName : String!, $repo : String!){removeFile(fileName: $fileName, name: $repo){ __typename}}',
        names,
      ),
    ).toHaveProperty('removeFile.__typename');
  });
});

describe('Python client: saved queries', () => {
  it('create_saved_query makes a saved query that the client can list, update and delete', async () => {
    const created = await graphql(
      'mutation { createSavedQuery(input: {name: "slow", viewName: "sandbox", queryString: "ms > 100", start: "1h", end: "now", isLive: false, widgetType: "list-view", options: "{}"}) { savedQuery { id, name } } }',
    );
    const { id } = created.createSavedQuery.savedQuery;
    const listed = await graphql(
      'query {repository(name: "sandbox"){savedQueries{id, name, displayName, query{queryString, start, end, isLive}}}}',
    );
    expect(listed.repository.savedQueries).toEqual([
      {
        id,
        name: 'slow',
        displayName: 'slow',
        query: { queryString: 'ms > 100', start: '1h', end: 'now', isLive: false },
      },
    ]);
    const updated = await graphql(
      `mutation { updateSavedQuery(input: {id: "${id}", viewName: "sandbox", name: "slower", queryString: "ms > 500"}) { savedQuery { id, name } } }`,
    );
    expect(updated.updateSavedQuery.savedQuery).toEqual({ id, name: 'slower' });
    const deleted = await graphql(
      `mutation { deleteSavedQuery(input: {id: "${id}", viewName: "sandbox"}) { savedQuery { id, name } } }`,
    );
    expect(deleted.deleteSavedQuery.savedQuery).toEqual({ id, name: 'slower' });
  });
});

describe('Python client: ingest and queries', () => {
  const now = Date.now();
  const event = (n: number) => ({
    timestamp: new Date(now - 1000 + n).toISOString(),
    attributes: { n: String(n) },
  });

  it('ingest_json_data succeeds with both clients', async () => {
    for (const [path, token] of [
      ['dataspaces/sandbox/ingest', server.userToken],
      ['ingest/humio-structured', server.ingestToken],
    ] as const) {
      const body = dumps([{ tags: { source: 'structured' }, events: [event(1), event(2)] }]);
      expect(await jsonOf(python('POST', `/api/v1/${path}`, { body, headers: asUser(token) }))).toEqual({});
    }
  });

  it('ingest_messages succeeds with both clients', async () => {
    for (const [path, token] of [
      ['dataspaces/sandbox/ingest-messages', server.userToken],
      ['ingest/humio-unstructured', server.ingestToken],
    ] as const) {
      const body = dumps([
        { messages: ['hello a=1'], type: 'kv', fields: { f: 'x' }, tags: { source: 'lines' } },
      ]);
      expect(await jsonOf(python('POST', `/api/v1/${path}`, { body, headers: asUser(token) }))).toEqual({});
    }
  });

  it('streaming_query returns events as NDJSON', async () => {
    const response = await python('POST', '/api/v1/dataspaces/sandbox/query', {
      body: dumps({ queryString: '#source=structured', start: '1h', isLive: false }),
      headers: { ...asUser(), Accept: 'application/x-ndjson' },
    });
    const events = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(events.map(({ n }) => n).sort()).toEqual(['1', '1', '2', '2']);
  });

  it('create_queryjob starts a job that the client can poll until it is done and delete', async () => {
    const jobs = '/api/v1/dataspaces/sandbox/queryjobs';
    const body = dumps({ queryString: 'count()', start: '1h', timeZoneOffsetMinutes: 120 });
    const { id } = await jsonOf(python('POST', jobs, { body, headers: asUser() }));
    await expect
      .poll(() => jsonOf(python('GET', `${jobs}/${id}`, { headers: asUser() })))
      .toMatchObject({
        done: true,
        cancelled: false,
        events: [{ _count: '6' }],
        metaData: { isAggregate: true },
      });
    const deleted = await python('DELETE', `${jobs}/${id}`, { headers: asUser() });
    expect([deleted.status, await deleted.text()]).toEqual([204, '']);
    expect((await python('GET', `${jobs}/${id}`, { headers: asUser() })).status).toBe(404);
  });

  it('create_queryjob gets a 400 with plain text for an invalid query', async () => {
    const response = await python('POST', '/api/v1/dataspaces/sandbox/queryjobs', {
      body: dumps({ queryString: 'timechart(func=nowork)' }),
      headers: asUser(),
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
  });
});
