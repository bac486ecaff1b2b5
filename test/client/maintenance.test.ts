import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient, LogIngestClient } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../src/local-server/index.ts';

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

describe('users', () => {
  it('are looked up, changed and made root, one field at a time', async () => {
    const { userID: id } = await client.createUser('ann@example.org');
    expect(await client.getUser(id)).toMatchObject({ id, username: 'ann@example.org', isRoot: false });
    const changed = await client.updateUser(id, { fullName: 'Ann Other', company: 'Shop', isRoot: true });
    expect(changed).toMatchObject({ displayName: 'Ann Other', company: 'Shop', isRoot: true });
    await client.updateUser(id, { username: 'ann' });
    expect(await client.getUser(id)).toMatchObject({ username: 'ann', fullName: 'Ann Other', isRoot: true });
    expect((await client.getUserByEmail('ann@example.org'))?.userID).toBe(id);
  });

  it.each([403, 404])('are managed by GraphQL where REST answers %i', async (status) => {
    const { faults } = server;
    const email = `user-${status}@example.org`;
    faults.add({ path: '/api/v1/users', status });
    try {
      const { userID } = await client.createUser(email, { isRoot: true });
      expect(await client.getUserByEmail(email)).toMatchObject({ userID, email, isRoot: true });
      expect(await client.deleteUserById(userID)).toMatchObject({ userID, email });
      expect(await client.getUserByEmail(email)).toBeUndefined();
      await expect(client.deleteUserById(userID)).rejects.toMatchObject({ statusCode: status });
    } finally {
      faults.clear();
    }
  });

  it('that are not there are undefined, and can not be changed', async () => {
    expect(await client.getUser('nobody')).toBeUndefined();
    await expect(client.updateUser('nobody', { fullName: 'N' })).rejects.toMatchObject({
      code: 'LOG_GRAPHQL',
      message: expect.stringContaining('There is no user with this id'),
    });
  });

  it('know who is asking, and in which organization', async () => {
    const { id } = await client.getCurrentUser();
    expect(await client.getUser(id)).toMatchObject({ username: 'developer', isRoot: true });
    const own = await client.getOrganization();
    expect((await client.listOrganizations()).map((organization) => organization.id)).toContain(own.id);
  });

  it.each([
    [{ fullName: '' }, '"fullName" must be a non-empty string'],
    [{ isRoot: 'yes' }, '"isRoot" must be true or false'],
    [{ fulName: 'x' }, 'Did you mean "fullName"?'],
  ])('are not changed to %j', async (changes, message) => {
    await expect(client.updateUser('u', changes as object)).rejects.toThrow(message);
  });
});

describe('ingest tokens', () => {
  it('get a parser and lose it', async () => {
    await client.addIngestToken('shipper', { parser: 'json' });
    await client.unassignParserFromIngestToken('shipper');
    const tokens = await client.listIngestTokens();
    expect(tokens.find(({ name }) => name === 'shipper')?.parser).toBeNull();
    expect((await client.assignParserToIngestToken('shipper', 'kv')).parser).toEqual({ name: 'kv' });
    expect(await client.removeIngestToken('shipper')).toBe(true);
  });
});

describe('parsers', () => {
  it('are made, used, changed, used again and deleted', async () => {
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

describe('saved queries', () => {
  it('are read by id', async () => {
    const saved = await client.createSavedQuery('errors', 'level=error');
    expect(await client.getSavedQuery(saved.id)).toEqual(saved);
    await client.deleteSavedQuery(saved.id);
    await expect(client.getSavedQuery(saved.id)).rejects.toMatchObject({ code: 'LOG_GRAPHQL' });
  });
});

describe('repositories', () => {
  it('are made with a retention, which changes limit by limit', async () => {
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
  ])('do not get the retention %j', async (limits, message) => {
    await expect(client.updateRetention('kept', limits as object)).rejects.toThrow(message);
  });

  it('are described', async () => {
    await client.createRepository('described');
    await client.updateDescription('described', 'what it is for');
    expect(await client.getSearchDomain('described')).toMatchObject({
      kind: 'Repository',
      description: 'what it is for',
      connections: [],
    });
  });
});

describe('views', () => {
  it('are made, looked at, changed and deleted; the events stay', async () => {
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
