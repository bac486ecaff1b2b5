import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogClient } from '../../../src/client/log-client.ts';
import type { QueryProgress, RunQueryOptions } from '../../../src/client/query/run-query.ts';
import { LogOptionsException } from '../../../src/core/errors.ts';
import type { ServiceKind } from '../../../src/core/http/service-kind.ts';
import { eventually } from '../../helpers/eventually.ts';
import { sendJson, startService } from '../../helpers/http-service.ts';
import { lawCases } from '../../helpers/laws.ts';
import { makeEvents, pollAnswer } from '../../helpers/query-answers.ts';
import { SERVICE_KINDS, startServiceOfKind } from '../../helpers/service-kinds.ts';

const EVENTS = 450;

/** A local server with events 0 to 449, and a client of it. */
async function startServer(kind: ServiceKind) {
  const { server, client, log } = await startServiceOfKind(kind);
  const now = Date.now();
  await log(
    Array.from({ length: EVENTS }, (_, n) => ({ timestamp: now - EVENTS + n, attributes: { n: String(n) } })),
  );
  return { server, client };
}

const newest = (count: number): string[] => Array.from({ length: count }, (_, n) => String(EVENTS - 1 - n));

describe.each(SERVICE_KINDS)('query() (%s)', (kind) => {
  // A process warning fails the test.
  it('shares a signal with more than ten queries', async () => {
    const { client } = await startServer(kind);
    const { signal } = new AbortController();
    const queries = Array.from({ length: 15 }, () => client.query('count()', { signal }));
    for (const rows of await Promise.all(queries)) expect(rows).toEqual([{ _count: String(EVENTS) }]);
  });

  it.each([
    [undefined, EVENTS],
    [Number.POSITIVE_INFINITY, EVENTS],
    [1, 1],
    [200, 200],
    [201, 201],
    [1_000, EVENTS],
  ])('with the limit %s returns the newest rows, %i of them', async (limit, count) => {
    const { server, client } = await startServer(kind);
    const rows = await client.query<{ n: string }>('n=*', { limit });
    expect(rows.map(({ n }) => n)).toEqual(newest(count));
    const jobs = server.inspect.requests({ method: 'POST', path: /queryjobs$/ }).length;
    expect(jobs).toBeLessThanOrEqual(Math.ceil(count / 200) + 1);
    expect(server.inspect.jobs()).toEqual([]);
  });

  it.each([{ status: 503 }, { reset: 'before' as const }])(
    'returns each row once if the request for a further page fails with %j',
    async (fault) => {
      const { server, client } = await startServer(kind);
      server.faults.add({ path: 'queryjobs', method: 'POST', every: 2, times: 1, ...fault });
      const rows = await client.query<{ n: string }>('n=*');
      expect(rows.map(({ n }) => n)).toEqual(newest(EVENTS));
    },
  );

  it('passes the warnings of the service to onWarning and onProgress', async () => {
    const { client } = await startServer(kind);
    const warnings: string[] = [];
    const told: string[] = [];
    await client.query('groupBy(n, limit=2)', {
      onWarning: ({ message }) => warnings.push(message),
      onProgress: (progress) => told.push(...progress.warnings.map(({ message }) => message)),
    });
    expect(warnings).toEqual([expect.stringContaining('groupBy')]);
    expect(told).toContain(warnings[0]);
  });

  it('shows the warnings of a query once as a process warning', async () => {
    const { client } = await startServer(kind);
    const shown = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => shown.mockRestore());
    const query = `groupBy(n, limit=3) // ${kind}`;
    await client.query(query);
    await client.query(query);
    expect(shown.mock.calls).toEqual([
      [expect.stringContaining(`(query: ${query})`), 'LogclientQueryWarning'],
    ]);
  });

  it('reports its progress', async () => {
    const { server, client } = await startServer(kind);
    server.faults.add({ path: '/queryjobs/', method: 'GET', notDone: true, times: 1 });
    const told: QueryProgress[] = [];
    await client.query('n=*', { limit: 300, onProgress: (progress) => told.push(progress) });
    expect(told.map(({ rows }) => rows)).toEqual([expect.any(Number), 200, 300]);
    expect(told[0]!.progress).toBeLessThanOrEqual(1);
    expect(told[1]).toEqual({
      progress: 1,
      workDone: EVENTS,
      totalWork: EVENTS,
      processedEvents: EVENTS,
      rows: 200,
      warnings: [],
    });
  });

  it('rejects with the error of onProgress and deletes its job', async () => {
    const { server, client } = await startServer(kind);
    const mine = new Error('mine');
    const onProgress = (): void => {
      throw mine;
    };
    await expect(client.query('n=*', { onProgress })).rejects.toBe(mine);
    expect(server.inspect.jobs()).toEqual([]);
  });

  it.each([
    [{ limit: 0 }, '"limit" must be a whole number of at least 1, or Infinity (got 0)'],
    [{ limit: 1.5 }, '"limit" must be'],
    [{ onProgress: 5 }, '"onProgress" must be a function (got 5)'],
    [{ limits: 5 }, 'query has no option "limits"'],
  ])('rejects %j', async (options, message) => {
    const client = new LogClient({ baseUrl: 'http://127.0.0.1:9', repository: 'r', userToken: 'token-1234' });
    const query = client.query('*', options as RunQueryOptions);
    await expect(query).rejects.toBeInstanceOf(LogOptionsException);
    await expect(query).rejects.toThrow(message);
  });

  it.each(lawCases(['select([n])', 'drop(@id)', 'drop([@timestamp])'], 1))(
    'returns more than 200 events, newest first, of a query that removes their position: %s',
    async (step) => {
      const { server, client } = await startServer(kind);
      const rows = await client.query<{ n: string }>(`n=* | ${step}`);
      expect(rows.map(({ n }) => n)).toEqual(newest(EVENTS));
      const some = await client.query<{ n: string }>(`n=* | ${step}`, { limit: 250 });
      expect(some.map(({ n }) => n)).toEqual(newest(250));
      expect(server.inspect.jobs()).toEqual([]);
    },
  );

  it("reports that it cannot continue if the service's stream has no more rows than its job", async () => {
    const rows = makeEvents(200).map((event) => ({ text: event['@rawstring'] }));
    const service = await startService((request, response) => {
      if (request.path.endsWith('/query')) {
        return response.end(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      }
      if (request.method === 'POST') return sendJson(response, { id: '1-a' });
      if (request.method === 'DELETE') return response.writeHead(204).end();
      return sendJson(response, pollAnswer({ events: rows.toReversed(), hasMoreEvents: true }));
    });
    const client = new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
    await expect(client.query('* | select(text)')).rejects.toMatchObject({ code: 'LOG_CANNOT_PAGE' });
    expect(service.requests.find(({ path }) => path.endsWith('/query'))?.json()).toEqual({
      queryString: '* | select(text)',
      start: 1_770_000_000_000,
      end: 1_770_086_400_000,
    });
  });
});

describe.each(SERVICE_KINDS)('Aborting deletes the job of a query (%s)', (kind) => {
  it.each([
    ['while it runs', { method: 'GET', path: '/queryjobs/', notDone: true }],
    ['while a poll hangs', { method: 'GET', path: '/queryjobs/', hang: true }],
    ['while it is being created', { method: 'POST', path: /queryjobs$/, delayMs: 200 }],
  ])('%s', async (_, fault) => {
    const { server, client } = await startServer(kind);
    server.faults.add(fault);
    const controller = new AbortController();
    const reason = new Error('enough');
    const query = client.query('n=*', { signal: controller.signal });
    const settled = query.catch((error: unknown) => error);
    await eventually(() => expect(server.inspect.requests({ path: 'queryjobs' })).not.toEqual([]));
    controller.abort(reason);
    expect(await settled).toBe(reason);
    await eventually(() => {
      expect(server.inspect.requests({ method: 'DELETE' })).toHaveLength(1);
      expect(server.inspect.jobs()).toEqual([]);
    });
  });

  it('sends nothing before the job is created', async () => {
    const { server, client } = await startServer(kind);
    const before = server.inspect.requests().length;
    await expect(client.query('*', { signal: AbortSignal.abort('mine') })).rejects.toBe('mine');
    expect(server.inspect.requests()).toHaveLength(before);
  });

  it("does not wait for a service that never returns the job's ID", async () => {
    const { server, client } = await startServer(kind);
    server.faults.add({ method: 'POST', path: /queryjobs$/, hang: true });
    const query = client.query('*', { signal: AbortSignal.timeout(50) });
    await expect(query).rejects.toMatchObject({ name: 'TimeoutError' });
    // A request is logged when it ends, but this one still hangs.
    expect(server.inspect.requests({ path: /queryjobs$/ })).toEqual([]);
  });
});

it('query() reports the warnings of every page, each once', async () => {
  const events = makeEvents(300).toReversed();
  const warning = (message: string) => ({ code: 'a', category: 'CLUSTER', message });
  const pages = [
    { events: events.slice(0, 200), warnings: [warning('one node is down')] },
    { events: events.slice(199), warnings: [warning('one node is down'), warning('two nodes are down')] },
  ];
  const service = await startService(({ method }, response) => {
    if (method === 'POST') return sendJson(response, { id: '1-a' });
    if (method === 'DELETE') return response.writeHead(204).end();
    const { warnings = [], ...page } = pages.shift() ?? { events: [] };
    sendJson(response, { ...pollAnswer({ ...page, hasMoreEvents: true }), warnings });
  });
  const client = new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
  const told: string[] = [];
  const rows = await client.query('*', { onWarning: ({ message }) => told.push(message) });
  expect(rows).toHaveLength(300);
  expect(told).toEqual(['one node is down', 'two nodes are down']);
});
