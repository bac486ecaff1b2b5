import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { collect } from '../helpers/collect.ts';
import { cases } from '../helpers/laws.ts';
import { graphql, uploadFile } from './service-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer({ now: NOW });
  for (const name of ['shop', 'bank']) await clientOf('sandbox').createRepository(name);
});
afterEach(() => server.close());

function clientOf(repository: string, of = server): LogClient {
  return new LogClient({ baseUrl: of.url, repository, userToken: of.userToken });
}

/** Events this many milliseconds before now. */
async function ingest(repository: string, events: readonly (readonly [ageMs: number, level: string])[]) {
  await clientOf(repository).ingestJsonData([
    {
      tags: { from: repository },
      events: events.map(([ageMs, level]) => ({ timestamp: NOW - ageMs, attributes: { level, ageMs } })),
    },
  ]);
}

const ALL = [
  { repositoryName: 'shop', filter: '*' },
  { repositoryName: 'bank', filter: 'level=error or level=warn // the others are noise' },
];

describe('View', () => {
  beforeEach(async () => {
    await ingest('shop', [
      [50, 'info'],
      [30, 'error'],
      [10, 'info'],
    ]);
    await ingest('bank', [
      [40, 'info'],
      [20, 'warn'],
    ]);
    await clientOf('sandbox').createView('both', ALL);
  });

  it('returns the events of its repositories in time order, each through its filter', async () => {
    const rows = await collect(clientOf('both').streamingQuery('*'));
    expect(rows.map((row) => `${row['#repo']} ${row.ageMs}`)).toEqual([
      'shop 50',
      'shop 30',
      'bank 20',
      'shop 10',
    ]);
    expect((await clientOf('both').query('*')).map(({ ageMs }) => ageMs)).toEqual(['10', '20', '30', '50']);
    expect(await clientOf('both').query('groupBy(#repo) | sort(#repo)')).toEqual([
      { '#repo': 'shop', _count: '3' },
      { '#repo': 'bank', _count: '1' },
    ]);
  });

  it('applies its filters in subqueries, also when read from another repository', async () => {
    const join = 'count() | x := 1 | join({level=info | count(as=infos) | x := 1}, field=x, include=infos)';
    expect(await clientOf('both').query(join)).toMatchObject([{ _count: '4', infos: '2' }]);
    const other =
      'defineTable(name="t", query={*}, include=[level, ageMs], view="both") | readFile("t") | count()';
    expect(await clientOf('sandbox').query(other)).toEqual([{ _count: '4' }]);
  });

  it('supports setTimeInterval() and createEvents(), and keeps positions in query errors', async () => {
    const ask = (text: string) => clientOf('both').query(text);
    expect(await ask('setTimeInterval(start="25ms") | count()')).toEqual([{ _count: '2' }]);
    expect(await ask('createEvents(["a=1"]) | kvParse() | select(a)')).toEqual([{ a: '1' }]);
    await expect(ask('level=error | groupBy(')).rejects.toThrow('line 1, column 23');
  });

  it('streams only the existing and new events that pass its filters', async () => {
    const seen: string[] = [];
    const ending = new AbortController();
    const tail = (async () => {
      for await (const row of clientOf('both').tail('*', { signal: ending.signal })) {
        seen.push(`${row['#repo']} ${row.level}`);
      }
    })();
    await expect.poll(() => server.inspect.store('bank').liveStreams).toBe(1);
    await ingest('bank', [
      [0, 'info'],
      [0, 'error'],
    ]);
    await ingest('shop', [[0, 'info']]);
    await expect.poll(() => seen.slice(4)).toEqual(['bank error', 'shop info']);
    ending.abort();
    await tail;
    await expect.poll(() => server.inspect.store('shop').liveStreams).toBe(0);
  });

  it('counts new events of all its repositories in a live job', async () => {
    await using job = await clientOf('both').createQueryJob('count()', { isLive: true, start: '1h' });
    await expect.poll(async () => (await job.poll()).events).toEqual([{ _count: '4' }]);
    await ingest('bank', [[5, 'error']]);
    await expect.poll(async () => (await job.poll()).events).toEqual([{ _count: '5' }]);
  });

  it('has its own files and saved queries', async () => {
    await uploadFile({ ...server, repository: 'both' }, 'levels.csv', 'level,rank\nwarn,2\n');
    const both = clientOf('both');
    await both.createSavedQuery('ranked', 'match("levels.csv", field=level)');
    expect(await both.query('$ranked() | select(rank)')).toEqual([{ rank: '2' }]);
    expect(await clientOf('shop').listSavedQueries()).toEqual([]);
  });

  it('rejects ingest with a 400', async () => {
    await expect(clientOf('both').ingestMessages(['x'])).rejects.toMatchObject({ statusCode: 400 });
  });

  it('returns the events of the remaining repositories when one is deleted', async () => {
    await clientOf('sandbox').deleteSearchDomain('shop');
    expect(await clientOf('both').query('count()')).toEqual([{ _count: '1' }]);
    expect((await clientOf('both').getSearchDomain('both'))?.connections).toEqual([ALL[1]]);
  });
});

describe('humio-search-all', () => {
  it('contains all repositories and cannot be changed or deleted', async () => {
    await ingest('shop', [[1, 'info']]);
    await ingest('bank', [[2, 'info']]);
    expect(await clientOf('humio-search-all').query('count()')).toEqual([{ _count: '2' }]);
    for (const change of [
      clientOf('sandbox').updateView('humio-search-all', []),
      clientOf('sandbox').deleteSearchDomain('humio-search-all'),
    ]) {
      await expect(change).rejects.toThrow('built in');
    }
  });
});

describe('createView()', () => {
  const connections = [{ repositoryName: 'shop', filter: '*' }];
  it.each([
    ['Shop', connections, 'The repository "Shop" already exists'],
    ['../up', connections, 'A repository name consists of'],
    ['v', [{ repositoryName: 'nowhere', filter: '*' }], 'There is no repository "nowhere"'],
    [
      'v',
      [{ repositoryName: 'humio-search-all', filter: '*' }],
      'is a view; a view can only contain repositories',
    ],
    ['v', [{ repositoryName: 'shop', filter: 'count()' }], 'must be a filter'],
    ['v', [{ repositoryName: 'shop', filter: 'level=' }], 'is invalid'],
    ['v', [{ repositoryName: 'shop', filter: 'a=b } | case { *' }], 'is invalid'],
    ['v', [{ repositoryName: 'shop', filter: 'nosuch(a)' }], 'nosuch'],
  ])('rejects the name %s with the connections %j', async (name, given, message) => {
    await expect(clientOf('sandbox').createView(name, given)).rejects.toThrow(message);
    expect((await clientOf('sandbox').listSearchDomains()).map((domain) => domain.name)).not.toContain('v');
  });
});

it('views and their saved queries are kept after a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'logclient-views-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startLocalServer({ dataDir });
  const connections = [{ repositoryName: 'sandbox', filter: 'level=error' }];
  await clientOf('sandbox', first).createView('errors', connections, { description: 'bad days' });
  await clientOf('errors', first).createSavedQuery('all', '*');
  await first.close();
  await using second = await startLocalServer({ dataDir });
  expect(await clientOf('sandbox', second).getSearchDomain('errors')).toMatchObject({
    description: 'bad days',
    connections,
  });
  expect(await clientOf('errors', second).listSavedQueries()).toHaveLength(1);
});

it('a view returns all events of its repositories in time order', async () => {
  const ages = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 12 });
  const connections = ['shop', 'bank'].map((repositoryName) => ({ repositoryName, filter: '*' }));
  await clientOf('sandbox').createView('v', connections);
  const seen: number[] = [];
  await fc.assert(
    fc.asyncProperty(ages, ages, async (shop, bank) => {
      await ingest(
        'shop',
        shop.map((age) => [age, 'info'] as const),
      );
      await ingest(
        'bank',
        bank.map((age) => [age, 'info'] as const),
      );
      seen.push(...shop, ...bank);
      const rows = await collect(clientOf('v').streamingQuery('*'));
      const sorted = seen.toSorted((left, right) => right - left).map(String);
      expect(rows.map(({ ageMs }) => ageMs)).toEqual(sorted);
    }),
    { ...cases(6), endOnFailure: true },
  );
});

it('searchDomains distinguishes views from repositories by __typename', async () => {
  await clientOf('sandbox').createView('v', [{ repositoryName: 'shop', filter: '*' }]);
  const { data } = await graphql(server, '{ searchDomains { __typename name } }');
  expect(data.searchDomains).toEqual([
    { __typename: 'Repository', name: 'sandbox' },
    { __typename: 'Repository', name: 'shop' },
    { __typename: 'Repository', name: 'bank' },
    { __typename: 'View', name: 'humio-activity' },
    { __typename: 'View', name: 'humio-search-all' },
    { __typename: 'View', name: 'humio-audit' },
    { __typename: 'View', name: 'v' },
  ]);
});
