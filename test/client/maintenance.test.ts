import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IfExists, LogClient, LogIngestClient } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';

let server: LocalServer;
let client: LogClient;
beforeAll(async () => {
  server = await startLocalServer();
  client = clientOf(server.repository);
});
afterAll(() => server.close());

function clientOf(repository: string): LogClient {
  return new LogClient({ baseUrl: server.url, repository, userToken: server.userToken });
}

describe('Users', () => {
  it('keep the fields that updateUser() does not name', async () => {
    const { userID: id } = await client.createUser('ann@example.org');
    expect(await client.getUser(id)).toMatchObject({ id, username: 'ann@example.org', isRoot: false });
    const changed = await client.updateUser(id, { fullName: 'Ann Other', company: 'Shop', isRoot: true });
    expect(changed).toMatchObject({ displayName: 'Ann Other', company: 'Shop', isRoot: true });
    await client.updateUser(id, { username: 'ann' });
    expect(await client.getUser(id)).toMatchObject({ username: 'ann', fullName: 'Ann Other', isRoot: true });
    expect((await client.getUserByEmail('ann@example.org'))?.userID).toBe(id);
  });

  it.each([403, 404])('are managed with GraphQL if REST responds with %i', async (status) => {
    const { faults } = server;
    const email = `user-${status}@example.org`;
    faults.add({ path: '/api/v1/users', status });
    try {
      const { userID } = await client.createUser(email, { isRoot: true });
      expect(await client.getUserByEmail(email)).toMatchObject({ userID, email, isRoot: true });
      expect(await client.deleteUserById(userID)).toMatchObject({ userID, email });
      expect(await client.getUserByEmail(email)).toBeUndefined();
      await expect(client.deleteUserById(userID)).rejects.toMatchObject({ code: 'LOG_NOT_FOUND' });
    } finally {
      faults.clear();
    }
  });

  it('that do not exist are undefined for getUser() and LOG_NOT_FOUND for updateUser()', async () => {
    expect(await client.getUser('nobody')).toBeUndefined();
    await expect(client.updateUser('nobody', { fullName: 'N' })).rejects.toMatchObject({
      code: 'LOG_NOT_FOUND',
      message: expect.stringContaining('No user with id'),
    });
  });

  it('getCurrentUser() returns the caller, and getOrganization() a listed organization', async () => {
    const { id } = await client.getCurrentUser();
    expect(await client.getUser(id)).toMatchObject({ username: 'developer', isRoot: true });
    const own = await client.getOrganization();
    expect((await client.listOrganizations()).map((organization) => organization.id)).toContain(own.id);
  });

  it.each([
    [{ fullName: '' }, '"fullName" must be a non-empty string'],
    [{ isRoot: 'yes' }, '"isRoot" must be true or false'],
    [{ fulName: 'x' }, 'Did you mean "fullName"?'],
  ])('updateUser() rejects %j', async (changes, message) => {
    await expect(client.updateUser('u', changes as object)).rejects.toThrow(message);
  });
});

describe('Ingest tokens', () => {
  it('accept a parser, and list none after unassignParserFromIngestToken()', async () => {
    await client.addIngestToken('shipper', { parser: 'json' });
    await client.unassignParserFromIngestToken('shipper');
    const tokens = await client.listIngestTokens();
    expect(tokens.find(({ name }) => name === 'shipper')?.parser).toBeNull();
    expect((await client.assignParserToIngestToken('shipper', 'kv')).parser).toEqual({ name: 'kv' });
    expect(await client.removeIngestToken('shipper')).toBe(true);
  });
});

describe('Parsers', () => {
  it('are created, updated and deleted, and applied to ingested messages', async () => {
    const { id } = await client.createParser('upper', 'shout := upper(@rawstring)');
    const { token } = await client.addIngestToken('loud', { parser: 'upper' });
    const ingest = new LogIngestClient({ baseUrl: server.url, ingestToken: token });
    await ingest.ingestMessages(['hello']);
    expect(await client.query('shout=HELLO | count()')).toEqual([{ _count: '1' }]);

    const changed = await client.updateParser(id, {
      name: 'lower',
      script: 'shout := lower(@rawstring)',
      fieldsToTag: ['shout'],
    });
    expect(changed).toMatchObject({ id, name: 'lower', fieldsToTag: ['shout'] });
    expect(await client.getParser('upper')).toBeUndefined();
    await client.assignParserToIngestToken('loud', 'lower');
    await ingest.ingestMessages(['HELLO']);
    expect(await client.query('#shout=hello | count()')).toEqual([{ _count: '1' }]);

    await client.updateParser(id, { fieldsToTag: [] });
    expect(await client.getParser('lower')).toMatchObject({ fieldsToTag: [], isBuiltIn: false });
    expect(await client.deleteParser(id)).toBe(true);
    expect((await client.listParsers()).map(({ name }) => name)).not.toContain('lower');
  });
});

describe('Saved queries', () => {
  it('are read by ID, and are undefined after deletion', async () => {
    const saved = await client.createSavedQuery('errors', 'level=error');
    expect(await client.getSavedQuery(saved.id)).toEqual(saved);
    await client.deleteSavedQuery(saved.id);
    expect(await client.getSavedQuery(saved.id)).toBeUndefined();
  });
});

describe('Repositories', () => {
  it('are created with a retention, whose limits change separately', async () => {
    await client.createRepository('kept', { description: 'for tests', timeBasedRetention: 7 });
    expect(await client.getRepository('kept')).toMatchObject({
      name: 'kept',
      description: 'for tests',
      timeBasedRetention: 7,
      ingestSizeBasedRetention: null,
      storageSizeBasedRetention: null,
    });
    await client.updateRetention('kept', { storageSizeBasedRetention: 0.5 });
    await client.updateRetention('kept', { timeBasedRetention: null, ingestSizeBasedRetention: 2 });
    expect(await client.getRepository('kept')).toMatchObject({
      timeBasedRetention: null,
      ingestSizeBasedRetention: 2,
      storageSizeBasedRetention: 0.5,
    });
  });

  it.each([
    [{}, 'nothing to change'],
    [{ timeBasedRetention: 0 }, '"timeBasedRetention" must be a number above 0'],
    [{ timeBasedRetention: Number.NaN }, '"timeBasedRetention" must be a number above 0'],
    [{ days: 3 }, 'updateRetention has no option "days"'],
  ])('updateRetention() rejects %j', async (limits, message) => {
    await expect(client.updateRetention('kept', limits as object)).rejects.toThrow(message);
  });

  it('have a description that updateDescription() changes', async () => {
    await client.createRepository('described');
    await client.updateDescription('described', 'what it is for');
    expect(await client.getSearchDomain('described')).toMatchObject({
      kind: 'Repository',
      description: 'what it is for',
      connections: [],
    });
  });
});

describe('Views', () => {
  it('are created, queried, updated and deleted, and leave the events in the repository', async () => {
    await client.createRepository('shop');
    await clientOf('shop').ingestJsonData([
      { tags: {}, events: [{ timestamp: Date.now(), attributes: { level: 'error' } }] },
    ]);
    await client.createView('errors', [{ repositoryName: 'shop', filter: 'level=error' }]);
    expect(await client.getSearchDomain('errors')).toMatchObject({
      kind: 'View',
      connections: [{ repositoryName: 'shop', filter: 'level=error' }],
    });
    expect(await clientOf('errors').query('count()')).toEqual([{ _count: '1' }]);
    await client.updateView('errors', [{ repositoryName: 'shop', filter: 'level=warn' }]);
    expect(await clientOf('errors').query('count()')).toEqual([{ _count: '0' }]);
    expect(await client.deleteSearchDomain('errors')).toBe(true);
    expect((await client.listSearchDomains()).map(({ name }) => name)).not.toContain('errors');
    expect(await clientOf('shop').query('count()')).toEqual([{ _count: '1' }]);
  });
});

interface CreateCase {
  readonly name: string;
  readonly create: (ifExists?: IfExists) => Promise<object>;
  /** Creates the resource with other properties. */
  readonly change: (ifExists?: IfExists) => Promise<object>;
  /** The properties after each of them. */
  readonly created: object;
  readonly changed: object;
  readonly read: () => Promise<object | undefined>;
}

const membersOf = (answer: unknown): string[] => Object.keys(answer as object).sort();

const CONNECTION = { repositoryName: 'sandbox', filter: 'level=error' };

describe.each<CreateCase>([
  {
    name: 'createRepository',
    create: (ifExists) => client.createRepository('twice', { timeBasedRetention: 5, ifExists }),
    change: (ifExists) =>
      client.createRepository('twice', { timeBasedRetention: 7, description: 'd', ifExists }),
    created: { timeBasedRetention: 5, description: null },
    changed: { timeBasedRetention: 7, description: 'd' },
    read: () => client.getRepository('twice'),
  },
  {
    name: 'createView',
    create: (ifExists) => client.createView('twice-view', [CONNECTION], { ifExists }),
    change: (ifExists) => client.createView('twice-view', [], { description: 'd', ifExists }),
    created: { connections: [CONNECTION], description: null },
    changed: { connections: [], description: 'd' },
    read: () => client.getSearchDomain('twice-view'),
  },
  {
    name: 'createParser',
    create: (ifExists) => client.createParser('twice', 'kvParse()', { fieldsToTag: ['a'], ifExists }),
    change: (ifExists) => client.createParser('twice', 'parseJson()', { ifExists }),
    created: { script: 'kvParse()', fieldsToTag: ['a'] },
    changed: { script: 'parseJson()', fieldsToTag: ['a'] },
    read: () => client.getParser('twice'),
  },
  {
    name: 'createSavedQuery',
    create: (ifExists) => client.createSavedQuery('twice', 'a=1', { start: '5m', ifExists }),
    change: (ifExists) => client.createSavedQuery('twice', 'a=2', { end: new Date(5), ifExists }),
    created: { query: { queryString: 'a=1', start: '5m', end: 'now', isLive: false } },
    changed: { query: { queryString: 'a=2', start: '5m', end: '5', isLive: false } },
    read: () => client.getSavedQuery('twice'),
  },
  {
    name: 'addIngestToken',
    create: (ifExists) => client.addIngestToken('twice', { parser: 'kv', ifExists }),
    change: (ifExists) => client.addIngestToken('twice', { parser: 'json', ifExists }),
    created: { parser: { name: 'kv' } },
    changed: { parser: { name: 'json' } },
    read: async () => (await client.listIngestTokens()).find(({ name }) => name === 'twice'),
  },
  {
    name: 'createFile',
    create: (ifExists) => client.createFile('twice.csv', { ifExists }),
    change: (ifExists) => client.createFile('twice.csv', { ifExists }),
    created: { lines: [] },
    changed: { lines: [] },
    read: () => client.getFileContent('twice.csv'),
  },
  {
    name: 'createUser',
    create: (ifExists) => client.createUser('twice@example.org', { ifExists }),
    change: (ifExists) => client.createUser('twice@example.org', { isRoot: true, ifExists }),
    created: { isRoot: false },
    changed: { isRoot: true },
    read: () => client.getUserByEmail('twice@example.org'),
  },
])('$name()', ({ create, change, created, changed, read }) => {
  it('rejects, keeps or updates an existing resource according to ifExists', async () => {
    const made = await create('error');
    const first = await read();
    expect(first).toMatchObject(created);
    await expect(change('error')).rejects.toMatchObject({ code: 'LOG_EXISTS' });
    expect(membersOf(await change('keep'))).toEqual(membersOf(made));
    expect(await read()).toEqual(first);
    const answer = await change('update');
    const updated = await read();
    expect(updated).toMatchObject(changed);
    expect(membersOf(answer)).toEqual(membersOf(made));
    expect(updated).toMatchObject(answer as object);
    await change('update');
    expect({ ...(await read()), modifiedAt: 0 }).toEqual({ ...updated, modifiedAt: 0 });
  });

  it('rejects an unknown ifExists with LOG_BAD_OPTION', async () => {
    await expect(create('replace' as IfExists)).rejects.toMatchObject({ code: 'LOG_BAD_OPTION' });
  });
});

it.each(['keep', 'update'] as const)(
  'createOrganization() with ifExists %s returns the existing organization',
  async (ifExists) => {
    const name = `twice-${ifExists}`;
    const { id } = await client.createOrganization(name, { ifExists });
    expect((await client.createOrganization(name, { ifExists })).id).toBe(id);
  },
);

it('createUser() rejects an existing user with LOG_EXISTS and ifExists error', async () => {
  const rejected = { name: 'LogHTTPException', code: 'LOG_EXISTS' };
  await client.createUser('twice@example.org');
  const called = client.createUser('twice@example.org', { ifExists: 'error' });
  await expect(called).rejects.toMatchObject(rejected);
});

it('a built-in parser is rejected with the reason', async () => {
  const rejected = { code: 'LOG_INVALID', message: expect.stringContaining('"kv" is built in') };
  await expect(client.deleteParser('kv')).rejects.toMatchObject(rejected);
  await expect(client.updateParser('kv', { script: 'kvParse()' })).rejects.toMatchObject(rejected);
});

it('createView() with ifExists update rejects the name of a repository with LOG_EXISTS', async () => {
  await client.createRepository('no-view');
  const called = client.createView('no-view', [CONNECTION], { ifExists: 'update' });
  await expect(called).rejects.toMatchObject({ code: 'LOG_EXISTS' });
});

it.each<[string, () => Promise<unknown>]>([
  ['the script of a parser', () => client.createParser('never', 'nosuch()')],
  ['the name of a file', () => client.createFile('a.txt')],
  ['the headers of a file', () => client.addFileContents('a.csv', ['x', 'y'], [['1', '2']], { offset: 1 })],
  [
    'a column of a file',
    () =>
      client.addFileContents('a.csv', ['x'], [], {
        limit: 0,
        columnChanges: [{ changeKind: 'Remove', index: 5 }],
      }),
  ],
  ['the name of a repository', () => client.createRepository('r'.repeat(2_000))],
])('rejects %s with LOG_INVALID', async (_, call) => {
  await client.uploadFile({ name: 'a.csv', content: 'x\n1\n2\n' });
  await expect(call()).rejects.toMatchObject({ code: 'LOG_INVALID' });
});

describe('Missing resource', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['getRepository', () => client.getRepository('none')],
    ['getSearchDomain', () => client.getSearchDomain('none')],
    ['getParser', () => client.getParser('none')],
    ['getSavedQuery', () => client.getSavedQuery('none')],
    ['getUser', () => client.getUser('none')],
    ['getUserByEmail', () => client.getUserByEmail('none@example.org')],
  ])('makes %s() return undefined', async (_, get) => {
    expect(await get()).toBeUndefined();
  });

  it('makes the delete methods return false', async () => {
    await client.createFile('gone.csv');
    await client.createSavedQuery('gone', '*');
    await client.createParser('gone', 'kvParse()');
    await client.addIngestToken('gone');
    await client.createRepository('gone');
    const deletions = [
      () => client.deleteFile('gone.csv'),
      () => client.deleteSavedQuery('gone'),
      () => client.deleteParser('gone'),
      () => client.removeIngestToken('gone'),
      () => client.deleteSearchDomain('gone'),
    ];
    for (const deletion of deletions) {
      expect([await deletion(), await deletion()], String(deletion)).toEqual([true, false]);
    }
  });

  it('makes the update methods throw LOG_NOT_FOUND', async () => {
    const missing = { code: 'LOG_NOT_FOUND' };
    await expect(client.updateParser('none', { script: 'kvParse()' })).rejects.toMatchObject(missing);
    await expect(client.updateSavedQuery('none', { queryString: '*' })).rejects.toMatchObject(missing);
    await expect(client.updateView('none', [])).rejects.toMatchObject(missing);
    await expect(client.updateRetention('none', { timeBasedRetention: 1 })).rejects.toMatchObject(missing);
    await expect(client.assignParserToIngestToken('none', 'kv')).rejects.toMatchObject(missing);
  });

  it('makes get and delete methods throw LOG_NOT_FOUND if the repository is missing, too', async () => {
    const missing = clientOf('no-repository');
    for (const call of [
      () => missing.getParser('p'),
      () => missing.deleteParser('p'),
      () => missing.getSavedQuery('q'),
      () => missing.deleteSavedQuery('q'),
      () => missing.removeIngestToken('t'),
      () => missing.deleteFile('f.csv'),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'LOG_NOT_FOUND' });
    }
  });
});

describe('Names instead of IDs', () => {
  it('work for parsers', async () => {
    const { id } = await client.createParser('by-name', 'kvParse()');
    expect(await client.updateParser('by-name', { script: 'parseJson()' })).toMatchObject({ id });
    expect(await client.getParser(id)).toEqual(await client.getParser('by-name'));
    const { parser } = await client.addIngestToken('by-parser-id', { parser: id });
    expect(parser).toEqual({ name: 'by-name' });
    expect(await client.deleteParser('by-name')).toBe(true);
  });

  it('work for saved queries', async () => {
    const { id } = await client.createSavedQuery('by-name', 'a=1');
    expect(await client.updateSavedQuery('by-name', { queryString: 'a=2' })).toMatchObject({ id });
    expect(await client.getSavedQuery(id)).toEqual(await client.getSavedQuery('by-name'));
    expect(await client.deleteSavedQuery('by-name')).toBe(true);
  });

  it("make deleteParser() fail with the service's error for a built-in parser", async () => {
    await expect(client.deleteParser('kv')).rejects.toMatchObject({ name: 'LogHTTPException' });
    expect((await client.listParsers()).some(({ name }) => name === 'kv')).toBe(true);
  });
});
