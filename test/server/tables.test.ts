import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { stepClock } from '../helpers/stepping-clock.ts';
import { callJob, createJob, ingest, poll, post, type Row, runJob, stream } from './query-calls.ts';
import { graphql, uploadFile } from './service-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);
const HOSTS = 'host,owner\na,ann\nb,bob\n';

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer({ now: NOW });
});
afterEach(() => server.close());

function clientOf({ url, repository, userToken }: LocalServer): LogClient {
  return new LogClient({ baseUrl: url, repository, userToken });
}

/** Events with these fields, one second apart, the newest one second old. */
function events(...attributes: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return attributes.map((each, index) => ({
    timestamp: NOW - (attributes.length - index) * 1000,
    attributes: each,
  }));
}

async function makeRepository(name: string, content: readonly Record<string, unknown>[]): Promise<void> {
  await graphql(server, `mutation { createRepository(name: "${name}") { repository { name } } }`);
  const answer = await graphql(
    server,
    `mutation { addIngestTokenV3(input: { repositoryName: "${name}", name: "t" }) { token } }`,
  );
  const { token } = answer.data.addIngestTokenV3;
  const response = await post(
    server,
    'ingest/humio-structured',
    JSON.stringify([{ tags: {}, events: content }]),
    {
      token,
    },
  );
  expect(response.status).toBe(200);
}

async function saveQuery(name: string, queryString: string): Promise<void> {
  const answer = await graphql(
    server,
    `mutation ($name: String!, $text: String!, $view: String!) {
      createSavedQuery(input: { name: $name, viewName: $view, queryString: $text }) { savedQuery { id } }
    }`,
    { name, text: queryString, view: server.repository },
  );
  expect(answer.errors).toBeUndefined();
}

async function refusal(queryString: string, path = 'queryjobs'): Promise<string> {
  const response = await post(
    server,
    `repositories/${server.repository}/${path}`,
    JSON.stringify({ queryString }),
  );
  expect(response.status).toBe(400);
  return response.text();
}

function picked(rows: readonly Row[], ...names: readonly string[]): Row[] {
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
}

describe('Uploaded lookup file', () => {
  beforeEach(async () => {
    await ingest(server, events({ host: 'a', n: 1 }, { host: 'c', n: 2 }, { host: 'b', n: 3 }));
    await uploadFile(server, 'hosts.csv', HOSTS);
  });

  it('is used by match() in a static job, before and after an aggregate', async () => {
    const { events: rows, filesUsed } = await runJob(server, 'match(file="hosts.csv", field=host)');
    expect(picked(rows, 'n', 'owner')).toEqual([
      { n: '3', owner: 'bob' },
      { n: '1', owner: 'ann' },
    ]);
    expect(filesUsed).toEqual([
      {
        name: 'hosts.csv',
        contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        modifiedTimestamp: NOW,
        tableType: 'File',
      },
    ]);
    const aggregate = await runJob(server, '!match("hosts.csv", field=host) | count()');
    expect(aggregate.events).toEqual([{ _count: '1' }]);
    const fields = await runJob(server, 'groupBy(host) | match("hosts.csv", field=host)');
    expect(fields.metaData).toMatchObject({ fieldOrder: ['host', '_count', 'owner'] });
  });

  it('is the source of readFile(), which reads no events', async () => {
    const { events: rows, metaData } = await runJob(server, 'readFile(hosts.csv) | sort(host)');
    expect(rows).toEqual([
      { host: 'b', owner: 'bob' },
      { host: 'a', owner: 'ann' },
    ]);
    expect(metaData).toMatchObject({ totalWork: 0, workDone: 0 });
    expect(await stream(server, 'readFile("hosts.csv", limit=1)')).toEqual([{ host: 'a', owner: 'ann' }]);
  });

  it('is used by match() in a streaming query', async () => {
    const rows = await stream(server, 'match(file="hosts.csv", field=host, strict=false)');
    expect(picked(rows, 'n', 'owner')).toEqual([
      { n: '1', owner: 'ann' },
      { n: '2', owner: undefined },
      { n: '3', owner: 'bob' },
    ]);
  });

  it('is found by its base name when the query names a package', async () => {
    expect(await stream(server, 'match("vendor/pack/hosts.csv", field=host) | count()')).toEqual([
      { _count: '2' },
    ]);
  });

  it('is read in its newest version at each poll of a live job, also after its deletion', async () => {
    const id = await createJob(server, 'match("hosts.csv", field=host) | select([n, owner])', {
      isLive: true,
      start: '1h',
    });
    expect(picked((await poll(server, id)).events, 'owner')).toEqual([{ owner: 'bob' }, { owner: 'ann' }]);
    await uploadFile(server, 'hosts.csv', 'host,owner\nc,cid\n');
    server.clock.advance(1000);
    expect(picked((await poll(server, id)).events, 'owner')).toEqual([{ owner: 'cid' }]);
    // The previous version of a deleted file is used.
    server.clock.advance(1000);
    await clientOf(server).deleteFile('hosts.csv');
    expect(picked((await poll(server, id)).events, 'owner')).toEqual([{ owner: 'cid' }]);
  });

  it('is reread by a live stream periodically, not for every event', async () => {
    const client = clientOf(server);
    const rows: string[] = [];
    const seen = async (count: number): Promise<void> => {
      while (rows.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const stop = new AbortController();
    const reading = (async () => {
      const query = client.streamingQuery(
        'match("hosts.csv", field=host) | join({kind=login}, field=host, include=user, mode=left)',
        { isLive: true, start: '1h', signal: stop.signal },
      );
      for await (const row of query) rows.push(`${row.n} ${row.owner} ${row.user ?? '-'}`);
    })().catch(() => {});
    await seen(2);
    await uploadFile(server, 'hosts.csv', 'host,owner\na,amy\n');
    await ingest(server, [{ timestamp: NOW, attributes: { host: 'a', kind: 'login', user: 'u', n: 4 } }]);
    await seen(3);
    server.clock.advance(10_000);
    await ingest(server, [{ timestamp: NOW + 10_000, attributes: { host: 'a', n: 5 } }]);
    await seen(4);
    stop.abort();
    await reading;
    expect(rows).toEqual(['1 ann -', '3 bob -', '4 ann u', '5 amy u']);
  });

  it('is named in the error if it does not exist, with a suggestion', async () => {
    expect(await refusal('match("host.csv", field=host)')).toMatch(
      /^There is no lookup file "host\.csv"\. Did you mean "hosts\.csv"\? \(line 1, column 7\)\n/,
    );
    expect(await refusal('match("hosts.csv", field=nope)', 'query')).toMatch(/There is no column "nope"/);
  });

  it('stays unchanged for a running query when it is replaced', async () => {
    const more = Array.from({ length: 60_000 }, (_, n) => ({
      timestamp: NOW - 500,
      attributes: { host: 'a', n },
    }));
    await ingest(server, more);
    const id = await createJob(server, 'match("hosts.csv", field=host) | groupBy(owner)');
    await uploadFile(server, 'hosts.csv', 'host,owner\na,new\n');
    let answer = await poll(server, id);
    while (!answer.done) answer = await poll(server, id);
    expect(picked(answer.events, 'owner')).toEqual([{ owner: 'ann' }, { owner: 'bob' }]);
  });
});

describe('Subquery', () => {
  it('reads another repository and another interval', async () => {
    await ingest(server, events({ id: 1, n: 'x' }, { id: 2, n: 'y' }));
    await makeRepository('people', [
      { timestamp: NOW - 50_000_000, attributes: { id: 1, who: 'old' } },
      { timestamp: NOW - 5000, attributes: { id: 2, who: 'new' } },
    ]);
    const ask = async (query: string): Promise<Row[]> =>
      picked(await stream(server, query, { start: '1h' }), 'n', 'who');
    expect(await ask('join({who=*}, field=id, include=who, repo=people)')).toEqual([{ n: 'y', who: 'new' }]);
    expect(await ask('join({who=*}, field=id, include=who, view=people, start=1d)')).toEqual([
      { n: 'x', who: 'old' },
      { n: 'y', who: 'new' },
    ]);
    const table = 'defineTable(query={who=*}, name=people, include=[id, who], view=people, start=1d)';
    expect(await ask(`${table} | match(table=people, field=id)`)).toEqual([
      { n: 'x', who: 'old' },
      { n: 'y', who: 'new' },
    ]);
    expect(await refusal('join({*}, field=id, repo=person)')).toMatch(/There is no repository "person"/);
  });

  it('runs again at each poll of a live job', async () => {
    await ingest(server, events({ id: 1, n: 'x' }));
    const query = 'n=* | join({who=*}, field=id, include=who) | select([n, who])';
    const id = await createJob(server, query, { isLive: true, start: '1h' });
    expect((await poll(server, id)).events).toEqual([]);
    await ingest(server, events({ id: 1, who: 'eve' }));
    expect(picked((await poll(server, id)).events, 'who')).toEqual([{ who: 'eve' }]);
  });

  it('runs over all events first for selfJoinFilter(), which a live stream rejects', async () => {
    await ingest(
      server,
      events({ id: 1, kind: 'a' }, { id: 2, kind: 'a' }, { id: 2, kind: 'b' }, { id: 3, kind: 'b' }),
    );
    const query = 'key := id | selfJoinFilter(key, where=[{kind=a}, {kind=b}])';
    expect(picked((await runJob(server, query)).events, 'id', 'kind')).toEqual([
      { id: '2', kind: 'b' },
      { id: '2', kind: 'a' },
    ]);
    expect(await stream(server, `${query} | count()`)).toEqual([{ _count: '2' }]);
    const body = JSON.stringify({ queryString: query, isLive: true, start: '1h' });
    const response = await post(server, `repositories/${server.repository}/query`, body);
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/selfJoinFilter\(\) can only run as a query job/);
  });

  it('adds its warnings to the result of the outer query', async () => {
    await ingest(server, events({ id: 1 }, { id: 1 }, { id: 1 }));
    const { metaData } = await runJob(server, 'join({*}, field=id, limit=2)');
    expect(metaData.warnings).toEqual(['join() uses 2 of the 3 rows of its query.']);
  });
});

describe('setTimeInterval()', () => {
  it('replaces the requested interval, and is rejected in a live job', async () => {
    await ingest(server, events({ n: 1 }, { n: 2 }, { n: 3 }));
    const { events: rows, metaData } = await runJob(server, 'setTimeInterval(start=2s, end=1s) | n=*', {
      start: '1d',
    });
    expect(picked(rows, 'n')).toEqual([{ n: '3' }, { n: '2' }]);
    expect(metaData).toMatchObject({ queryStart: NOW - 2000, queryEnd: NOW - 1000 });
    expect(await stream(server, 'setTimeInterval(start=2s) | count()')).toEqual([{ _count: '2' }]);
    const body = JSON.stringify({ queryString: 'setTimeInterval(start=2s, end=1s)', isLive: true });
    expect((await post(server, `repositories/${server.repository}/queryjobs`, body)).status).toBe(400);
  });
});

describe('Saved query in a query', () => {
  beforeEach(() => ingest(server, events({ level: 'error', host: 'a' }, { level: 'info', host: 'b' })));

  it('runs with its defaults, with its own arguments, and with those of the outer query', async () => {
    await saveQuery('ofLevel', 'level=?{level=error} | enriched := "yes"');
    await saveQuery('counted', '| groupBy(?by)');
    expect(picked(await stream(server, '$ofLevel()'), 'host', 'enriched')).toEqual([
      { host: 'a', enriched: 'yes' },
    ]);
    expect(picked(await stream(server, '$ofLevel(level="inf*")'), 'host')).toEqual([{ host: 'b' }]);
    const { events: rows } = await runJob(server, '$ofLevel() | $counted(by=host)', {
      arguments: { level: 'info' },
    });
    expect(rows).toEqual([{ host: 'b', _count: '1' }]);
  });

  it('is named in the error if it does not exist or is invalid', async () => {
    await saveQuery('ofLevel', 'level=error | cuont()');
    expect(await refusal('$ofLevels()')).toMatch(
      /^There is no saved query "ofLevels"\. Did you mean "ofLevel"\?/,
    );
    expect(await refusal('$ofLevel()')).toMatch(
      /^There is no function "cuont"\. Did you mean "count"\?, in line 1, column 15 of the saved query "ofLevel" \(line 1, column 1\)/,
    );
  });

  it('is known to validateQuery', async () => {
    await saveQuery('mine', 'level=error');
    const ask = async (text: string): Promise<unknown> =>
      (
        await graphql(
          server,
          'query ($q: String!) { validateQuery(queryString: $q, version: legacy) { isValid } }',
          { q: text },
        )
      ).data.validateQuery.isValid;
    expect([await ask('$mine()'), await ask('$yours()')]).toEqual([true, false]);
  });
});

describe('Expensive subquery', () => {
  /** Every event is matched with every row of the pattern file: seconds of work for 50,000 events. */
  const QUERY = 'join({match("patterns.csv", field=text, column=p, mode=glob)}, field=text) | count()';

  async function prepareMuchWork(): Promise<void> {
    const patterns = Array.from({ length: 3000 }, (_, n) => `*never-${n}-*-there*`);
    await uploadFile(server, 'patterns.csv', `p\n${patterns.join('\n')}\n`);
    await ingest(
      server,
      Array.from({ length: 50_000 }, (_, n) => ({
        timestamp: NOW - 1,
        attributes: { text: `text number ${n} is long` },
      })),
    );
  }

  /** The cost of the queries that have ended, in milliseconds. */
  async function costOfQueries(): Promise<number> {
    const { metaData } = await poll(server, await createJob(server, '*', { start: 1, end: 2 }));
    return (metaData as unknown as { quotaTotalSpent: { day: { staticCost: number } } }).quotaTotalSpent.day
      .staticCost;
  }

  it('does not block polls or the deletion of its job', async () => {
    await prepareMuchWork();
    // With this clock, the work needs thousands of time slices.
    stepClock(0.2);
    const id = await createJob(server, QUERY);
    const answer = await poll(server, id);
    expect(answer).toMatchObject({ done: false, cancelled: false });
    expect((await callJob(server, id, 'DELETE')).status).toBe(204);
    expect((await callJob(server, id)).status).toBe(404);
    await expect.poll(costOfQueries, { interval: 5 }).toBeGreaterThan(0);
  });

  it('fails the query after queryTimeoutMs', async () => {
    await server.close();
    server = await startLocalServer({ now: NOW, queryTimeoutMs: 50 });
    await prepareMuchWork();
    // On a slow machine, a single slice may exceed the limit before their sum does.
    const message = /it needed more than 50 ms of CPU time/;
    const { cancelled, events: rows, metaData } = await runJob(server, QUERY);
    expect({ cancelled, rows }).toEqual({ cancelled: true, rows: [] });
    expect(metaData.warnings[0]).toMatch(message);
    await expect(stream(server, QUERY)).rejects.toThrow(message);
    await expect(stream(server, QUERY.replace(' | count()', ''))).rejects.toThrow(message);
  });
});
