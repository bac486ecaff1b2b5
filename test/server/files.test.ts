import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';
import { callRest, graphql, uploadFile } from './service-calls.ts';

let server: Awaited<ReturnType<typeof startLocalServer>>;
beforeAll(async () => {
  server = await startLocalServer({ maxRequestBytes: 1_000_000 });
});
afterAll(() => server.close());

const HOSTS = 'host,owner\nweb-1,ada\nweb-2,grace\ndb-1,ada\n';

function download(name: string, family = 'repositories'): Promise<Response> {
  return callRest(server, `${family}/sandbox/files/${encodeURIComponent(name)}`);
}

describe('Lookup files over REST', () => {
  it('are uploaded with their ID as the response, and returned byte for byte, under /repositories and /dataspaces', async () => {
    const content = new TextEncoder().encode('\uFEFFid,name\r\n1," ö "\r\n');
    const uploaded = await uploadFile(server, 'bytes.csv', content);
    expect([uploaded.status, uploaded.headers.get('content-type'), await uploaded.text()]).toEqual([
      200,
      expect.stringMatching(/^text\/plain/),
      expect.stringMatching(/^[A-Za-z0-9]{8,}$/),
    ]);
    for (const family of ['repositories', 'dataspaces']) {
      const response = await download('bytes.csv', family);
      expect(response.status).toBe(200);
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(content);
    }
  });

  it('are replaced by an upload with the same name', async () => {
    await uploadFile(server, 'twice.csv', 'a\n1\n');
    await uploadFile(server, 'twice.csv', 'b\n2\n');
    expect(await (await download('twice.csv')).text()).toBe('b\n2\n');
  });

  it('can have names with spaces and non-ASCII letters', async () => {
    expect((await uploadFile(server, 'größe 1.json', '[{"a": 1}]')).status).toBe(200);
    const response = await download('größe 1.json');
    expect(await response.json()).toEqual([{ a: 1 }]);
  });

  it('are listed with their size', async () => {
    await uploadFile(server, 'listed.csv', HOSTS);
    const files = (await (await callRest(server, 'repositories/sandbox/files')).json()) as { name: string }[];
    expect(files.find(({ name }) => name === 'listed.csv')).toMatchObject({ fileSizeBytes: HOSTS.length });
  });

  it.each(['missing.csv', '../users.json', '..%2F..'])('return 404 for the file %s', async (name) => {
    const response = await download(name);
    expect(response.status).toBe(404);
    expect(await response.text()).toMatch(/^The requested resource could not be found\./);
  });

  it('return 404 for an unknown repository', async () => {
    expect((await callRest(server, 'repositories/nowhere/files/a.csv')).status).toBe(404);
  });

  it.each([
    ['a name without .csv or .json', 'hosts.txt', 'a\n', 400, /must end in .csv or .json/],
    ['a path', '../../hosts.csv', 'a\n', 400, /slash/],
    ['CSV with an open quote', 'open.csv', 'a\n"1\n', 400, /double quote/],
    ['JSON that is none', 'broken.json', '{', 400, /not JSON/],
    ['more bytes than a request may have', 'big.csv', `a\n${'x'.repeat(1_000_000)}\n`, 413, /1000000 bytes/],
  ])('are rejected with a plain-text reason: %s', async (_, name, content, status, text) => {
    const response = await uploadFile(server, name, content);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    expect(await response.text()).toMatch(text);
  });

  it.each([
    ['another content type', { 'content-type': 'text/csv' }, 'a\n1\n', 415],
    ['a body without the boundary', { 'content-type': 'multipart/form-data; boundary=x' }, 'a\n1\n', 400],
    [
      'no part named file',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\ncontent-disposition: form-data; name="f"; filename="a.csv"\r\n\r\na\r\n--x--\r\n',
      400,
    ],
    [
      'a part without a file name',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\na\r\n--x--\r\n',
      400,
    ],
  ])('are rejected when the upload has %s', async (_, headers, body, status) => {
    const response = await callRest(server, 'repositories/sandbox/files', { method: 'POST', headers, body });
    expect(response.status).toBe(status);
  });

  it('cannot be read with an ingest token', async () => {
    const headers = { authorization: `Bearer ${server.ingestToken}` };
    expect((await callRest(server, 'repositories/sandbox/files/a.csv', { headers })).status).toBe(403);
  });
});

describe('Lookup files over GraphQL', () => {
  const content = (args: string) =>
    graphql(
      server,
      `{ getFileContent(name: "sandbox", fileName: "rows.csv", ${args}) { headers lines totalLinesCount offset limit filterString } }`,
    );

  it('return up to limit rows from offset', async () => {
    await uploadFile(server, 'rows.csv', HOSTS);
    expect((await content('offset: 1, limit: 1')).data.getFileContent).toEqual({
      headers: ['host', 'owner'],
      lines: [['web-2', 'grace']],
      totalLinesCount: 3,
      offset: 1,
      limit: 1,
      filterString: null,
    });
  });

  it('return the rows with filterString in any cell, ignoring case', async () => {
    const { lines, totalLinesCount } = (await content('offset: 0, limit: 200, filterString: "ADA"')).data
      .getFileContent;
    expect(lines).toEqual([
      ['web-1', 'ada'],
      ['db-1', 'ada'],
    ]);
    expect(totalLinesCount).toBe(3);
  });

  it('are created, edited, emptied and removed', async () => {
    const variables = { file: 'made.csv', repo: 'sandbox' };
    const made = await graphql(
      server,
      'mutation ($file: String!, $repo: String!) { newFile(fileName: $file, name: $repo) { nameAndPath { name path } headers lines totalLinesCount } }',
      variables,
    );
    expect(made.data.newFile).toEqual({
      nameAndPath: { name: 'made.csv', path: null },
      headers: [],
      lines: [],
      totalLinesCount: 0,
    });

    const update = `mutation ($file: String!, $repo: String!, $rows: [[String!]!]!, $headers: [String!]!, $changes: [ColumnChange!]!, $offset: Int, $limit: Int) {
      updateFile(fileName: $file, name: $repo, changedRows: $rows, headers: $headers, columnChanges: $changes, offset: $offset, limit: $limit) {
        headers lines totalLinesCount } }`;
    const filled = await graphql(server, update, {
      ...variables,
      rows: [
        ['1', 'a'],
        ['2', 'b'],
      ],
      headers: ['id', 'name'],
      changes: [],
      offset: 0,
      limit: 200,
    });
    expect(filled.data.updateFile.totalLinesCount).toBe(2);

    const widened = await graphql(server, update, {
      ...variables,
      rows: [],
      headers: ['id', 'kind', 'name'],
      changes: [{ changeKind: 'Add', index: 1 }],
      offset: 0,
      limit: 1,
    });
    expect(widened.errors).toBeUndefined();
    expect(await (await download('made.csv')).text()).toBe('id,kind,name\n2,,b\n');

    const emptied = await graphql(server, update, {
      ...variables,
      rows: [],
      headers: [],
      changes: [],
      offset: 0,
      limit: 200,
    });
    expect(emptied.data.updateFile).toEqual({
      headers: ['id', 'kind', 'name'],
      lines: [],
      totalLinesCount: 0,
    });

    const remove =
      'mutation ($file: String!, $repo: String!) { removeFile(fileName: $file, name: $repo) { result } }';
    expect((await graphql(server, remove, variables)).data.removeFile).toEqual({ result: true });
    expect((await download('made.csv')).status).toBe(404);
    expect((await graphql(server, remove, variables)).errors![0]).toMatchObject({
      message: 'There is no file "made.csv".',
      path: ['removeFile'],
      state: { fileName: 'not found' },
    });
  });

  it('are listed with hash, size and times', async () => {
    await uploadFile(server, 'hashed.csv', HOSTS);
    const { data } = await graphql(
      server,
      `query { searchDomain(name: "sandbox") { files { nameAndPath { path, name } contentHash fileSizeBytes createdAt modifiedAt createdBy } } }`,
    );
    const file = data.searchDomain.files.find(
      ({ nameAndPath }: { nameAndPath: { name: string } }) => nameAndPath.name === 'hashed.csv',
    );
    expect(file).toEqual({
      nameAndPath: { path: null, name: 'hashed.csv' },
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      fileSizeBytes: HOSTS.length,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      modifiedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      createdBy: 'developer',
    });
  });

  it('return the rows that match prefixFilter and valueFilters', async () => {
    await uploadFile(server, 'search.csv', HOSTS);
    const { data } = await graphql(
      server,
      `{ searchDomain(name: "sandbox") { fileFieldSearch(fileName: "search.csv", fieldName: "host", prefixFilter: "web",
           valueFilters: [{field: "owner", values: ["ada", "bob"]}], fieldsToInclude: ["owner"], maxEntries: 10) { key value } } }`,
    );
    expect(data.searchDomain.fileFieldSearch).toEqual([
      [
        { key: 'host', value: 'web-1' },
        { key: 'owner', value: 'ada' },
      ],
    ]);
  });

  it.each([
    [
      'a name that is taken',
      'newFile(fileName: "taken.csv", name: "sandbox") { nameAndPath { name } }',
      /already exists/,
    ],
    [
      'a name without ending',
      'newFile(fileName: "x", name: "sandbox") { nameAndPath { name } }',
      /must end in/,
    ],
    [
      'an unknown repository',
      'newFile(fileName: "x.csv", name: "nope") { nameAndPath { name } }',
      /with the name "nope"/,
    ],
    [
      'rows of a JSON file',
      'updateFile(fileName: "j.json", name: "sandbox", changedRows: [], headers: [], columnChanges: []) { headers }',
      /Only CSV/,
    ],
  ])('return an error for %s', async (_, call, message) => {
    await uploadFile(server, 'taken.csv', 'a\n');
    await uploadFile(server, 'j.json', '[]');
    const { data, errors } = await graphql(server, `mutation { ${call} }`);
    expect(data).toBeNull();
    expect(errors![0]!.message).toMatch(message);
  });
});
