import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, type LocalServerOptions, startLocalServer } from '../../src/server/index.ts';
import { lawCases } from '../helpers/laws.ts';
import { stepClock } from '../helpers/stepping-clock.ts';
import { answeredDuring } from './answered-during.ts';
import { callJob, createJob, ingest, poll, post, runJob, stream } from './query-calls.ts';

let server: LocalServer;
afterEach(() => server.close());

async function start(options: LocalServerOptions, events = 1000): Promise<void> {
  server = await startLocalServer({ listen: false, ...options });
  for (let done = 0; done < events; done += 5000)
    await ingest(server, numbered(done, Math.min(5000, events - done)));
}

function numbered(first: number, count: number): Record<string, unknown>[] {
  const timestamp = server.clock.now() - 1000;
  return Array.from({ length: count }, (_, n) => ({
    timestamp,
    attributes: { n: first + n, host: `web-${n % 50}`, text: `user${n} did something at ${first}` },
  }));
}

async function expectAlive(): Promise<void> {
  await ingest(server, numbered(0, 1));
  expect(await stream(server, 'n=0 | tail(1) | select(n)')).toEqual([{ n: '0' }]);
}

describe('Query limits', () => {
  it('a query that reaches behind the oldest kept event has a warning', async () => {
    const warnings: string[] = [];
    server = await startLocalServer({
      listen: false,
      maxEvents: 100,
      onWarning: (text) => warnings.push(text),
    });
    const now = server.clock.now();
    const events = Array.from({ length: 300 }, (_, n) => ({
      timestamp: now - 300_000 + n * 1000,
      attributes: { n },
    }));
    expect((await runJob(server, 'count()')).metaData.warnings).toEqual([]);
    for (const event of events) await ingest(server, [event]);
    const kept = server.inspect.store();
    const evicted = now - 1000 * (kept.events + 1);
    const reason = `The result is incomplete: events up to ${new Date(evicted).toISOString()} did not fit in memory. Search a later interval. A local server keeps more with maxEvents and maxBytes, and "logclient query" reads whole files.`;
    const job = await runJob(server, 'count()', { start: now - 300_000, end: now });
    expect([job.events, job.metaData.warnings]).toEqual([[{ _count: String(kept.events) }], [reason]]);
    expect((await runJob(server, 'n=*', { start: now - 300_000, end: now })).metaData.warnings).toEqual([
      reason,
    ]);
    expect((await runJob(server, 'count()', { start: evicted + 1, end: now })).metaData.warnings).toEqual([]);
    expect(warnings).toEqual([]);
    await stream(server, 'n=*', { start: now - 300_000, end: now });
    expect(warnings).toEqual([`n=*: ${reason}`]);
  });

  it.each([
    'groupBy(n)',
    'groupBy(host, function=collect(text))',
    'sort(n, limit=max)',
    'tail(1000)',
    'head(1000)',
    'top(n)',
    'timeChart(n, span=1m)',
  ])(
    'a query over maxQueryBytes is canceled with a message, and the server keeps running: %s',
    async (query) => {
      await start({ maxQueryBytes: 20_000 });
      const { cancelled, done, events, metaData } = await runJob(server, query);
      const message = expect.stringMatching(
        /^The query was canceled: its result needs more than 20000 bytes of memory/,
      );
      expect({ cancelled, done, events, warnings: metaData.warnings }).toEqual({
        cancelled: true,
        done: false,
        events: [],
        warnings: [message],
      });
      const streamed = await post(
        server,
        'repositories/sandbox/query',
        JSON.stringify({ queryString: query }),
      );
      expect([streamed.status, await streamed.text()]).toEqual([500, message]);
      await expectAlive();
    },
  );

  it('a query that keeps few of its rows stays within maxQueryBytes', async () => {
    await start({ maxQueryBytes: 30_000 });
    expect((await runJob(server, 'sort(n, limit=20)')).events).toHaveLength(20);
    expect((await runJob(server, 'groupBy(host)')).events).toHaveLength(50);
  });

  it('a query over maxQueryGroups returns that many groups and a warning', async () => {
    await start({ maxQueryGroups: 100 });
    const { events, metaData } = await runJob(server, 'groupBy(n)');
    expect(events).toHaveLength(100);
    expect(metaData.warnings).toEqual(['groupBy() counts at most 100 groups.']);
  });

  it('a query over maxQueryRows returns that many rows and a warning', async () => {
    await start({ maxQueryRows: 10 });
    const { events, metaData } = await runJob(server, 'groupBy(n) | sort(n)');
    expect(events.map(({ n }) => n)).toEqual(Array.from({ length: 10 }, (_, n) => String(999 - n)));
    expect(metaData.warnings).toContain('The result shows 10 of 200 rows, the limit of this server.');
    expect(await stream(server, 'groupBy(n)')).toHaveLength(10);
  });
});

describe('Abandoned query', () => {
  /** Takes a tenth of a millisecond per event. */
  const SLOW = `${Array.from({ length: 20 }, () => 'hash(text, as=h) | text := format("%s %s", field=[text, h])').join(' | ')} | count(h, distinct=true)`;

  async function startSlow(options: LocalServerOptions): Promise<void> {
    await start(options, 0);
    const timestamp = server.clock.now();
    const words = 'some words '.repeat(20);
    // Results for known values are cached.
    await ingest(
      server,
      Array.from({ length: 5000 }, (_, n) => ({ timestamp, attributes: { text: `${n} ${words}` } })),
    );
  }

  /** The cost of the static queries that have ended. */
  async function spent(): Promise<number> {
    const { metaData } = await poll(server, await createJob(server, '*', { start: 1, end: 2 }));
    return (metaData as unknown as { quotaTotalSpent: { day: { staticCost: number } } }).quotaTotalSpent.day
      .staticCost;
  }

  /** A query is counted when it ends. With a clock that advances 1 ms per reading, all of it costs 15 s. */
  async function expectStopped(): Promise<void> {
    await expect.poll(spent, { interval: 5 }).toBeGreaterThan(10);
    expect(await spent()).toBeLessThan(1_000);
  }

  it('stops when its job is deleted', async () => {
    await startSlow({});
    stepClock(1);
    const id = await createJob(server, SLOW);
    for (let polls = 0; polls < 10; polls++) expect((await poll(server, id)).done).toBe(false);
    expect((await callJob(server, id, 'DELETE')).status).toBe(204);
    await expectStopped();
  });

  it('stops when its job expires', async () => {
    await startSlow({ now: Date.UTC(2026, 1, 3, 9) });
    stepClock(1);
    const id = await createJob(server, SLOW);
    for (let polls = 0; polls < 10; polls++) expect((await poll(server, id)).done).toBe(false);
    server.clock.advance(90_001);
    await expectStopped();
    expect((await callJob(server, id)).status).toBe(404);
  });

  it('stops when the client of a streaming query disconnects before the result of an aggregate', async () => {
    await startSlow({ listen: true, queryTimeoutMs: 60_000 });
    const outgoing = request(`${server.url}/api/v1/repositories/sandbox/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.userToken}`, 'content-type': 'application/json' },
    });
    outgoing.on('error', () => {});
    const clock = stepClock(1);
    outgoing.end(JSON.stringify({ queryString: SLOW }));
    // A request is logged when it was answered, or never will be.
    const logged = (): number => server.inspect.requests({ path: /query$/ }).length;
    const readings = (): number => clock.mock.calls.length;
    await expect.poll(readings, { interval: 5 }).toBeGreaterThan(100);
    expect(logged()).toBe(0);
    outgoing.destroy();
    await expect.poll(logged, { interval: 5 }).toBe(1);
    // The whole query reads the clock three times per event.
    expect(readings()).toBeLessThan(10_000);
    await expectAlive();
  });
});

describe('queryTimeoutMs', () => {
  const numbered = (count: number): Record<string, unknown>[] =>
    Array.from({ length: count }, (_, n) => ({ timestamp: Date.now() - 60_000, attributes: { n } }));
  let warnings: string[];
  const query = (queryString: string): Promise<Response> =>
    post(server, 'repositories/sandbox/query', JSON.stringify({ queryString }), {
      headers: { accept: 'application/x-ndjson' },
    });

  beforeEach(async () => {
    warnings = [];
    server = await startLocalServer({ queryTimeoutMs: 200, onWarning: (text) => warnings.push(text) });
    await ingest(server, numbered(1_000));
    stepClock(1);
  });

  it('ends a query by its CPU time, not by the time of other processes', async () => {
    expect(await runJob(server, 'n=1')).toMatchObject({ done: false, cancelled: true });
    vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    expect(await runJob(server, 'n=1')).toMatchObject({ done: true, cancelled: false });
  });

  it('does not end an export whose client reads on', async () => {
    const rows = (await (await query('n=*')).text()).trimEnd().split('\n');
    expect(rows).toHaveLength(1_000);
  });

  it('is named in the last line of a stream that fails after its status', async () => {
    const reason = 'it needed more than 200 ms of CPU time, the limit of this server.';
    const response = await query('n=0');
    expect(response.status).toBe(200);
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body!) text += new TextDecoder().decode(chunk);
    })();
    await expect(reading).rejects.toThrow();
    expect(text).toMatch(
      new RegExp(`^\\{.*\\}\\n\\nThe response is incomplete: The query was canceled: ${reason}\\n$`),
    );
    expect(warnings).toContainEqual(
      expect.stringMatching(/^The response to POST \S+\/query was cut off\. .*CPU time/),
    );
    const { url: baseUrl, userToken, repository } = server;
    const client = new LogClient({ baseUrl, userToken, repository });
    const rows: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const row of client.streamingQuery('n=0', { start: '1day' })) rows.push(row);
    };
    await expect(read()).rejects.toThrow(`The response is incomplete: The query was canceled: ${reason}`);
    expect(rows).toHaveLength(1);
  });
});

it.each(
  lawCases(
    [
      'groupBy(n, limit=max) | sort(_count, limit=max)',
      'sort([text, n], limit=max, type=string)',
      'groupBy(host, function=tail(2000))',
      'text=/(?<who>\\w+) did (?<what>.*)ing/ | top([who, what], limit=20000)',
      'groupBy([host, n], function=[collect(text), sum(n)], limit=max)',
    ],
    1,
  ),
)(
  'the server responds to other requests during a big query, its result page and its export: %s',
  async (query) => {
    await start({}, 5_000);
    const id = await createJob(server, query);
    const run = async (): Promise<void> => {
      while (!(await poll(server, id)).done) await new Promise((resolve) => setImmediate(resolve));
    };
    const page = (): Promise<unknown> => poll(server, id, '?paginationLimit=1&sortBy=n');
    const exported = async (): Promise<unknown> =>
      (await callJob(server, id, 'GET', '?mimeType=text/csv')).text();
    for (const [work, stepMs] of [
      [run, 0.2],
      [page, 2],
      [exported, 2],
    ] as const) {
      expect(await answeredDuring(work, server, stepMs)).toBeGreaterThan(5);
    }
  },
);
