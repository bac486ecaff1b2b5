import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogClient } from '../../../src/client/log-client.ts';
import type { QueryProgress, RunQueryOptions } from '../../../src/client/query/run-query.ts';
import { LogOptionsException } from '../../../src/core/errors.ts';
import { isLogScale, type ServiceKind } from '../../../src/core/http/service-kind.ts';
import type { LogEvent } from '../../../src/core/wire/query.ts';
import { eventually } from '../../helpers/eventually.ts';
import { holdTimers } from '../../helpers/hand-timers.ts';
import { type ReceivedRequest, sendJson, sendText, startService } from '../../helpers/http-service.ts';
import { lawCases } from '../../helpers/laws.ts';
import { makeEvents, pollAnswer } from '../../helpers/query-answers.ts';
import { SERVICE_KINDS, startServiceOfKind } from '../../helpers/service-kinds.ts';

const EVENTS = 450;

const attributesOf = (n: number) => ({ n: String(n), copy: String(n), group: String(n % 3) });

/** A local server with events 0 to 449, and a client of it. */
async function startServer(kind: ServiceKind) {
  const { server, client, log } = await startServiceOfKind(kind);
  const now = Date.now();
  await log(
    Array.from({ length: EVENTS }, (_, n) => ({ timestamp: now - EVENTS + n, attributes: attributesOf(n) })),
  );
  return { server, client };
}

/** Steps that write IDs: equal ones, or others. */
const WRITING_IDS = [
  '@id := "x"',
  '@id := format("%s", field=n)',
  'rename(group, as=@id)',
  'rename(copy, as=@id)',
  'hash(n, as=@id)',
  'regex("(?<@id>.)", field=n)',
];

/** Steps after which an event can't be found by its ID and time. */
const WITHOUT_POSITION = [
  'select([n])',
  'drop(@id)',
  'drop([@timestamp])',
  '@timestamp := 5',
  '@timestamp := n',
  '@timestamp := 0 - n',
  '@timestamp := now()',
  '@timestamp := @timestamp - 100',
  '@timestamp := @timestamp + 3600000',
  '@timestamp := @timestamp * 1000',
  ...WRITING_IDS,
];

const newest = (count: number, of = EVENTS): string[] =>
  Array.from({ length: count }, (_, n) => String(of - 1 - n));

/** Queries, their arguments, and the misspelled argument and the parameter that it means, if any. */
const ARGUMENTS: readonly (readonly [string, Readonly<Record<string, string>>, string?, string?])[] = [
  ['n=?number | count()', { nubmer: '1' }, 'nubmer', 'number'],
  ['n=?{number="*"} | count()', { numbers: '1' }, 'numbers', 'number'],
  ['group=?group | level=?level | count()', { group: '1', levle: '2' }, 'levle', 'level'],
  // Nothing is misspelled.
  ['n=?n | count()', { n: '1', host: 'a' }],
  ['n=?number | count()', { host: 'a' }],
  ['n=?{number=1} | count()', { host: 'a' }],
  ['n=?number | count()', {}],
  // No parameters.
  ['n=1 | count()', { num: '1' }],
  ['/\\d?number/ or "?number" // ?number', { num: '1' }],
  ['n=1 /* ?number */ | message=http://example.com', { num: '1' }],
];

describe.each(SERVICE_KINDS)('query() (%s)', (kind) => {
  it('rejects a misspelled argument, whose parameter would match anything', async () => {
    const { client } = await startServer(kind);
    for (const [query, values, unused, meant] of ARGUMENTS) {
      const rows = client.query(query, { arguments: values });
      if (unused === undefined) {
        await rows;
        continue;
      }
      const problem = `"arguments" has "${unused}", which the query does not use. Did you mean "${meant}"?`;
      await expect(rows, query).rejects.toThrow(new LogOptionsException(problem));
    }
    const [query, values] = ARGUMENTS[0]!;
    for (const rows of [
      client.streamingQuery(query, { arguments: values }),
      client.tail(query, { arguments: values }),
    ]) {
      await expect(rows.next()).rejects.toThrow(LogOptionsException);
    }
    // The parameters of the saved query are unknown.
    if (!isLogScale(kind)) return;
    await client.createSavedQuery('ofNumber', 'n=?num');
    expect(await client.query('$ofNumber() | group=?group', { arguments: { num: '4' } })).toHaveLength(1);
  });

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
    await eventually(() => expect(server.inspect.jobs()).toEqual([]));
  });

  it.each([{ status: 503 }, { reset: 'before' as const }])(
    'returns each row once if the request for a further page fails with %j',
    async (fault) => {
      const { server, client } = await startServer(kind);
      server.faults.add({ path: 'queryjobs', method: 'POST', every: 2, times: 1, ...fault });
      const rows = await client.query<{ n: string }>('n=*', { limit: 1_000 });
      expect(rows.map(({ n }) => n)).toEqual(newest(EVENTS));
    },
  );

  it('returns the rows of its pages, in their order, also without a limit', async () => {
    const { client, log } = await startServiceOfKind(kind);
    const now = Date.now();
    // Many events of one millisecond, and later ones that are older.
    for (const shift of [0, 500, -500]) {
      await log(
        Array.from({ length: 300 }, (_, n) => ({
          timestamp: now - 60_000 + shift + Math.floor(n / 7),
          attributes: { n: String(n), text: `text ${shift}` },
        })),
      );
    }
    for (const query of ['n=*', 'n=* | n > 100', 'n=* | select([@timestamp, @id, n])']) {
      const paged = await client.query(query, { limit: 10_000 });
      expect(await client.query(query)).toEqual(paged);
    }
  });

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
    await eventually(() => expect(server.inspect.jobs()).toEqual([]));
  });

  it.each([
    [{ limit: 0 }, '"limit" must be a whole number of at least 1, or Infinity (got 0)'],
    [{ limit: 1.5 }, '"limit" must be'],
    [{ onProgress: 5 }, '"onProgress" must be a function (got 5)'],
    [{ limt: 5 }, 'query has no option "limt". Did you mean "limit"?'],
    [{ color: 5 }, 'Known options: start, end'],
  ])('rejects %j', async (options, message) => {
    const client = new LogClient({ baseUrl: 'http://127.0.0.1:9', repository: 'r', userToken: 'token-1234' });
    const query = client.query('*', options as RunQueryOptions);
    await expect(query).rejects.toBeInstanceOf(LogOptionsException);
    await expect(query).rejects.toThrow(message);
  });

  it.each(lawCases(WITHOUT_POSITION, 2))(
    'returns more than 200 events, newest first, of a query that removes or writes their position: %s',
    async (step) => {
      const { server, client } = await startServer(kind);
      const rows = await client.query<{ n: string }>(`n=* | ${step}`);
      expect(rows.map(({ n }) => n)).toEqual(newest(EVENTS));
      const some = await client.query<{ n: string }>(`n=* | ${step}`, { limit: 250 });
      expect(some.map(({ n }) => n)).toEqual(newest(250));
      await eventually(() => expect(server.inspect.jobs()).toEqual([]));
    },
  );

  it.each(lawCases(WRITING_IDS, 2))(
    'returns all events of one millisecond, or rejects if it cannot, for a query that writes IDs: %s',
    async (step) => {
      const { client, log } = await startServiceOfKind(kind);
      const timestamp = Date.now() - 1_000;
      const events = Array.from({ length: 251 }, (_, n) => ({ timestamp, attributes: attributesOf(n) }));
      await log(events);
      for (const limit of [undefined, 1_000]) {
        const query = client.query<{ n: string }>(`n=* | ${step}`, { limit });
        if (isLogScale(kind)) {
          expect((await query).map(({ n }) => n)).toEqual(newest(251, 251));
        } else {
          await expect(query).rejects.toMatchObject({ code: 'LOG_CANNOT_PAGE' });
        }
      }
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
    ['after it was created late', { method: 'POST', path: /queryjobs$/, delayMs: 200 }],
  ])('%s', async (_, fault) => {
    const { server, client } = await startServer(kind);
    server.faults.add(fault);
    // A request is logged when it ends, and the query must not end before it is aborted.
    server.faults.add({ method: 'GET', path: '/queryjobs/', notDone: true });
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

/** A service with 450 events in pages of 200, and a client of it. */
async function startPages(stream: (request: ReceivedRequest, response: ServerResponse) => unknown) {
  const events = makeEvents(EVENTS);
  const pageOf = (older: readonly object[]): object =>
    pollAnswer({ events: older.slice(-200).toReversed(), hasMoreEvents: older.length > 200 });
  const service = await startService((request, response) => {
    if (request.path.endsWith('/query')) return stream(request, response);
    if (request.method === 'DELETE') return;
    if (request.method === 'GET') {
      const id = decodeURIComponent(request.path.split('/').at(-1)!);
      const known = events.findIndex((event) => event['@id'] === id);
      return sendJson(response, pageOf(known === -1 ? events : events.slice(0, known + 1)));
    }
    const { around } = request.json<{ around?: { eventId: string } }>();
    return sendJson(response, { id: around?.eventId ?? 'first' });
  });
  const client = new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
  return { service, client, events: events.toReversed() };
}

const linesOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('query() without a limit', () => {
  it('needs three requests and waits for no deletion, as its events are streamed after the first page', async () => {
    const told: number[] = [];
    const { service, client, events } = await startPages((_request, response) =>
      response.end(linesOf(makeEvents(EVENTS))),
    );
    expect(await client.query('*', { onProgress: ({ rows }) => told.push(rows) })).toEqual(events);
    expect(told).toEqual([200, 200, 400, 450]);
    expect(service.calls.filter((call) => !call.startsWith('DELETE'))).toHaveLength(3);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['breaks off', (response) => response.write(linesOf(makeEvents(300)), () => response.destroy())],
    ['is rejected', (response) => sendText(response, 400, 'no streams here')],
    ['has a line that is no row', (response) => response.end('Internal error at shard 7\n')],
    ['ends early', (response) => response.end(linesOf(makeEvents(400).slice(0, 300)))],
    ['has an error as a row', (response) => response.end(linesOf([...makeEvents(EVENTS), { error: 'x' }]))],
  ])('returns the pages if the stream %s', async (_, stream) => {
    const { client, events } = await startPages((_request, response) => stream(response));
    expect(await client.query('*')).toEqual(events);
  });

  it('returns the pages if the stream hangs', async () => {
    const { client, events } = await startPages((_request, response) =>
      response.write(linesOf(makeEvents(300))),
    );
    const timers = holdTimers(20_000);
    const told: number[] = [];
    const query = client.query('*', { timeoutMs: 20_000, onProgress: ({ rows }) => told.push(rows) });
    // The first page, and the start of the stream.
    await eventually(() => expect(told).toEqual([200, 200]));
    await timers.fire();
    expect(await query).toEqual(events);
  });

  it('returns each event if the query writes their times', async () => {
    const { client, events } = await startPages((_request, response) => {
      const written = makeEvents(EVENTS).map((event, index) => ({
        ...event,
        '@timestamp': 1_000_000 - index,
      }));
      response.end(linesOf(written));
    });
    const ids = (rows: readonly object[]) => rows.map((row) => (row as LogEvent)['@id']).sort();
    expect(ids(await client.query('@timestamp := t'))).toEqual(ids(events));
  });

  it('does not stream again if the service limits streams to the rows of a page', async () => {
    const { service, client, events } = await startPages((_request, response) =>
      response.end(linesOf(makeEvents(EVENTS).slice(-200))),
    );
    for (let count = 0; count < 3; count++) expect(await client.query('*')).toEqual(events);
    expect(service.calls.filter((call) => call.endsWith('/query'))).toHaveLength(1);
  });
});

describe('Rows of a job whose deletion hangs', () => {
  it.each<[string, (client: LogClient) => Promise<unknown>]>([
    ['query()', (client) => client.query('*', { limit: 450 })],
    ['waitFor()', (client) => client.waitFor('*')],
    [
      'watch()',
      async (client) => {
        for await (const _ of client.watch('*')) break;
      },
    ],
    [
      'tail() with last',
      async (client) => {
        for await (const _ of client.tail('*', { last: 1 })) break;
      },
    ],
  ])('are returned immediately by %s', async (_, run) => {
    const timers = holdTimers(5_000);
    const { client, service } = await startPages(() => {});
    await run(client);
    await eventually(() => expect(service.calls.some((call) => call.startsWith('DELETE'))).toBe(true));
    // Its time limit, after which a program ends.
    while (timers.running > 0) await timers.fire();
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
    const { warnings = [], ...page } = pages.shift() ?? { events: events.slice(-1) };
    sendJson(response, { ...pollAnswer({ ...page, hasMoreEvents: true }), warnings });
  });
  const client = new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
  const told: string[] = [];
  const rows = await client.query('*', { onWarning: ({ message }) => told.push(message) });
  expect(rows).toHaveLength(300);
  expect(told).toEqual(['one node is down', 'two nodes are down']);
});
