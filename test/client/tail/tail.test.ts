import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogClient } from '../../../src/client/log-client.ts';
import type { TailReconnect } from '../../../src/client/tail/live-query-options.ts';
import { LogHTTPException, LogOptionsException, LogQueryException } from '../../../src/core/errors.ts';
import type { ServiceKind } from '../../../src/core/http/service-kind.ts';
import type { LogEvent } from '../../../src/core/wire/query.ts';
import { closedPort } from '../../helpers/closed-port.ts';
import { takeIds } from '../../helpers/collect.ts';
import { eventually } from '../../helpers/eventually.ts';
import { holdTimers } from '../../helpers/hand-timers.ts';
import {
  type HttpService,
  type ReceivedRequest,
  sendJson,
  sendText,
  startService,
} from '../../helpers/http-service.ts';
import { makeEvents, pollAnswer } from '../../helpers/query-answers.ts';
import { SERVICE_KINDS, startServiceOfKind } from '../../helpers/service-kinds.ts';

const events = makeEvents(20);
const lines = (some: readonly object[]): string => some.map((event) => `${JSON.stringify(event)}\n`).join('');

function clientOf(service: HttpService): LogClient {
  return new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
}

/** A service whose live streams (counted from 0) are written by `stream`. */
async function start(stream: (response: ServerResponse, index: number, request: ReceivedRequest) => unknown) {
  let index = 0;
  const service = await startService((request, response) => stream(response, index++, request));
  return { service, client: clientOf(service) };
}

const ids = (from: number, to: number): unknown[] => events.slice(from, to).map((event) => event['@id']);

/** The time ranges that connections requested, in seconds. */
function startsOf(service: HttpService): number[] {
  return service.requests.map((request) => Number.parseInt(request.json<{ start: string }>().start, 10));
}

/** Removes the random delay of reconnections, unless the service requests one. */
beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => random.mockRestore();
});

describe('tail()', () => {
  it('opens a live stream and yields its events', async () => {
    const { service, client } = await start((response) => response.write(lines(events.slice(0, 3))));
    expect(await takeIds(client.tail('foo', { arguments: { a: 'b' } }), 3)).toEqual(ids(0, 3));
    expect(service.calls).toEqual(['POST /api/v1/repositories/r/query']);
    expect(service.requests[0]?.json()).toEqual({
      queryString: 'foo',
      isLive: true,
      start: '60s',
      arguments: { a: 'b' },
    });
  });

  it('continues after a dropped connection and yields each event once', async () => {
    const { service, client } = await start((response, index) => {
      // Each connection repeats existing events and has a few more.
      response.write(lines(events.slice(0, 5 * (index + 1))));
      setTimeout(() => response.destroy(), 30);
    });
    expect(await takeIds(client.tail('foo', { start: '5 minutes' }), 20)).toEqual(ids(0, 20));
    expect(service.calls).toHaveLength(4);
    for (const startS of startsOf(service)) expect(startS).toBeGreaterThanOrEqual(300);
  });

  it('reconnects after an idle connection was closed, and requests only what it may have missed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { service, client } = await start((response, index) => {
      if (index === 2) return response.write(lines(events.slice(0, 1)));
      vi.setSystemTime(Date.now() + 25_000);
      return response.end('\n');
    });
    expect(await takeIds(client.tail('foo', { start: '1 day' }), 1)).toEqual(ids(0, 1));
    const [first, second, third] = startsOf(service);
    expect(first).toBe(86_400);
    // Nothing has proved that the first connection was complete.
    expect(second).toBeGreaterThanOrEqual(86_400);
    expect(third).toBeGreaterThanOrEqual(25 + 30);
    expect(third).toBeLessThan(25 + 40);
  });

  it('survives a service that is down for a while', async () => {
    const { client } = await start((response, index) => {
      if (index === 0) return response.end(lines(events.slice(0, 1)));
      if (index === 1) return response.writeHead(503, { 'retry-after': '0' }).end();
      if (index === 2) return response.destroy();
      return response.write(lines(events.slice(0, 2)));
    });
    expect(await takeIds(client.tail('foo'), 2)).toEqual(ids(0, 2));
  });

  it('waits for the Retry-After of a 429', async () => {
    const pauses = holdTimers(1_000);
    const { client } = await start((response, index) => {
      if (index === 0) return response.end('\n');
      if (index === 1) return response.writeHead(429, { 'retry-after': '1' }).end();
      return response.write(lines(events.slice(0, 1)));
    });
    const taking = takeIds(client.tail('foo'), 1);
    await pauses.fire();
    await taking;
  });

  it('fails if a reconnect gets a 401', async () => {
    const { client } = await start((response, index) =>
      index === 0 ? response.end(lines(events.slice(0, 1))) : sendText(response, 401, 'no'),
    );
    const error = await takeIds(client.tail('foo'), 2).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogHTTPException);
    expect(error).toMatchObject({ statusCode: 401 });
  });

  it('fails immediately if the first connection fails', async () => {
    const client = new LogClient({
      baseUrl: `http://127.0.0.1:${await closedPort()}`,
      repository: 'r',
      userToken: 'token-1234',
    });
    await expect(client.tail('foo').next()).rejects.toMatchObject({ code: 'LOG_CONNECTION' });
  });

  it('rejects an aggregate query with a hint', async () => {
    const { client } = await start((response) =>
      sendText(response, 400, 'Live aggregate queries need a query job.'),
    );
    const error = await client
      .tail('count()')
      .next()
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogQueryException);
    expect(error).toMatchObject({ message: expect.stringContaining('Use watch() for other queries') });
  });

  it("throws the service's message for an invalid query", async () => {
    const { client } = await start((response) => sendText(response, 400, 'Expected an expression.'));
    await expect(client.tail('|').next()).rejects.toThrow(/^Expected an expression\.$/);
  });

  it.each(['while it waits for an event', 'between two events', 'before it begins'])(
    'ends without an error when its signal is aborted, %s',
    async (moment) => {
      const { service, client } = await start((response) => response.write(lines(events.slice(0, 2))));
      const controller = new AbortController();
      const seen: unknown[] = [];
      if (moment === 'before it begins') controller.abort();
      for await (const event of client.tail('foo', { signal: controller.signal })) {
        seen.push(event['@id']);
        if (moment === 'between two events') controller.abort();
        else if (seen.length === 2) setTimeout(() => controller.abort(), 20);
      }
      const expected = { 'while it waits for an event': 2, 'between two events': 1, 'before it begins': 0 };
      expect(seen).toHaveLength(expected[moment as keyof typeof expected]);
      expect(service.calls).toHaveLength(moment === 'before it begins' ? 0 : 1);
    },
  );

  it('ends without an error when its signal is aborted while it waits to reconnect', async () => {
    const controller = new AbortController();
    const { client } = await start((response, index) => {
      if (index === 0) return response.end('\n');
      setTimeout(() => controller.abort(), 50);
      return response.writeHead(503, { 'retry-after': '60' }).end();
    });
    expect(await client.tail('foo', { signal: controller.signal }).next()).toEqual({
      done: true,
      value: undefined,
    });
  });

  it('closes its connection when the loop exits early', async () => {
    let isClosed = false;
    const { client } = await start((response) => {
      response.on('close', () => {
        isClosed = true;
      });
      response.write(lines(events.slice(0, 2)));
    });
    await takeIds(client.tail('foo'), 1);
    await eventually(() => expect(isClosed).toBe(true));
  });

  it('can become a Readable that can be destroyed while it waits', async () => {
    let isClosed = false;
    const { client } = await start((response) => {
      response.on('close', () => {
        isClosed = true;
      });
      response.write(lines(events.slice(0, 1)));
    });
    const readable = Readable.from(client.tail('foo'));
    const [event] = await new Promise<LogEvent[]>((resolve) =>
      readable.once('data', (row) => resolve([row])),
    );
    expect(event?.['@id']).toBe(events[0]?.['@id']);
    readable.destroy();
    await eventually(() => expect(isClosed).toBe(true));
  });

  it.each([
    [{ start: 'now@d' }, 'tail: a live query needs a relative "start" without anchors, such as "10 minutes"'],
    [{ start: 5 }, 'tail: a live query needs a relative "start"'],
    ['1h', 'tail: the options must be an object (got "1h"). Name it, as in { start: "1h" }.'],
    [{ timeZone: 2 }, 'tail: "timeZone" must be a non-empty string'],
    [{ last: -1 }, '"last" must be a whole number'],
    [{ end: 'now' }, 'tail has no option "end"'],
    [{ since: 'now@d' }, '"since" must be whole epoch milliseconds, a Date, ISO 8601 with an offset'],
    [{ since: new Date('no') }, '"since" must be'],
    [{ since: 1_770_109_200 }, 'It looks like seconds: multiply it by 1000.'],
    [{ since: 1, start: '1h' }, `"since" and "start" can't be combined`],
    [{ overlapMs: -1 }, '"overlapMs" must be a whole number'],
    [{ onSkip: 1 }, '"onSkip" must be a function (got 1)'],
    [{ onReconnect: 'x' }, '"onReconnect" must be a function'],
    [{ idleTimeoutMs: 0 }, 'tail: "idleTimeoutMs"'],
  ])('rejects %j immediately', async (options, message) => {
    const { service, client } = await start((response) => response.end());
    expect(() => client.tail('foo', options as never)).toThrow(LogOptionsException);
    expect(() => client.tail('foo', options as never)).toThrow(message);
    expect(service.calls).toEqual([]);
  });
});

describe('tail() with `since`', () => {
  it.each([
    ['epoch milliseconds', (at: number) => at],
    ['a Date', (at: number) => new Date(at)],
    ['ISO 8601', (at: number) => new Date(at).toISOString()],
  ])('of %s starts with the first event of that time', async (_, since) => {
    const { service, client } = await start((response) => response.write(lines(events)));
    const at = events[12]!['@timestamp'];
    const calledAt = Date.now();
    expect(await takeIds(client.tail('foo', { since: since(at) }), 8)).toEqual(ids(12, 20));
    const askedForMs = startsOf(service)[0]! * 1_000;
    expect(askedForMs).toBeGreaterThanOrEqual(calledAt - at + 30_000);
  });

  it('of a relative time counts from the call', async () => {
    const recent = events.map((event, index) => ({
      ...event,
      '@timestamp': Date.now() - (20 - index) * 60_000,
    }));
    const { client } = await start((response) => response.write(lines(recent)));
    expect(await takeIds(client.tail('foo', { since: '330 seconds' }), 5)).toEqual(ids(15, 20));
  });

  it('continues where another tail ended', async () => {
    const { client } = await start((response) => response.write(lines(events)));
    let at = 0;
    for await (const event of client.tail('foo', { start: '1h' })) {
      at = event['@timestamp'] as number;
      if (event['@id'] === events[7]?.['@id']) break;
    }
    expect(await takeIds(client.tail('foo', { since: at }), 3)).toEqual(ids(7, 10));
  });
});

describe('onReconnect', () => {
  it('gets a rising attempt number while connections bring only known events', async () => {
    const { client } = await start((response, index) => {
      response.write(lines(events.slice(0, index < 5 ? 2 : 3)));
      setTimeout(() => response.destroy(), 5);
    });
    const attempts: number[] = [];
    const onReconnect = ({ attempt }: TailReconnect): void => void attempts.push(attempt);
    expect(await takeIds(client.tail('foo', { onReconnect }), 3)).toEqual(ids(0, 3));
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
  });

  it('is called for each attempt with the reason', async () => {
    const told: unknown[] = [];
    const { client } = await start((response, index) => {
      if (index === 0) return response.end(lines(events.slice(0, 1)));
      if (index === 1) return sendText(response, 502, 'bad gateway');
      return response.write(lines(events.slice(0, 2)));
    });
    await takeIds(client.tail('foo', { onReconnect: (reconnect) => void told.push(reconnect) }), 2);
    expect(told).toEqual([
      { attempt: 1, delayMs: 0, error: expect.objectContaining({ code: 'LOG_CONNECTION_DROPPED' }) },
      { attempt: 2, delayMs: 0, error: expect.objectContaining({ statusCode: 502 }) },
    ]);
  });

  it('stops the tail by throwing', async () => {
    const mine = new Error('enough');
    const { client } = await start((response) => response.end('\n'));
    const onReconnect = (): void => {
      throw mine;
    };
    await expect(client.tail('foo', { onReconnect }).next()).rejects.toBe(mine);
  });
});

describe('tail() with `last`', () => {
  /** A service with `history` before the start of the tail, and live streams of `live`. */
  async function startHistory(history: readonly object[], live: readonly object[]) {
    const service = await startService((request, response) => {
      if (request.path.endsWith('/query')) return response.write(lines(live));
      if (request.method === 'POST') return sendJson(response, { id: '1-a' });
      if (request.method === 'DELETE') return response.writeHead(204).end();
      sendJson(
        response,
        pollAnswer({ events: history.toReversed(), metaData: { queryEnd: 1_770_000_000_055 } }),
      );
    });
    return { service, client: clientOf(service) };
  }

  it('starts with the newest events, oldest first, and continues with new ones', async () => {
    const { service, client } = await startHistory(events.slice(0, 6), events.slice(0, 8));
    expect(await takeIds(client.tail('foo', { last: 3 }), 5)).toEqual(ids(3, 8));
    expect(service.calls.slice(0, 4)).toEqual([
      'POST /api/v1/repositories/r/queryjobs',
      'GET /api/v1/repositories/r/queryjobs/1-a',
      'DELETE /api/v1/repositories/r/queryjobs/1-a',
      'POST /api/v1/repositories/r/query',
    ]);
    expect(service.requests[0]?.json()).toEqual({ queryString: 'foo', isLive: false, start: '86400s' });
  });

  it('requests no further page if the first one has all events of the oldest time to return', async () => {
    const page = events.slice(3, 6).toReversed();
    const service = await startService((request, response) => {
      if (request.path.endsWith('/query')) return response.write(lines(events.slice(0, 8)));
      if (request.method === 'POST') return sendJson(response, { id: '1-a' });
      if (request.method === 'DELETE') return response.writeHead(204).end();
      sendJson(response, pollAnswer({ events: page, hasMoreEvents: true }));
    });
    expect(await takeIds(clientOf(service).tail('foo', { last: 2 }), 2)).toEqual(ids(4, 6));
    expect(service.calls.filter((call) => call.startsWith('GET'))).toHaveLength(1);
  });

  it('above the number of events yields all of them, and all that arrive late', async () => {
    const { client } = await startHistory(events.slice(1, 4), events.slice(0, 6));
    expect(await takeIds(client.tail('foo', { last: 10 }), 6)).toEqual([
      ...ids(1, 4),
      ...ids(0, 1),
      ...ids(4, 6),
    ]);
  });

  it('of 0 yields only new events', async () => {
    const { client } = await startHistory(events.slice(0, 6), events.slice(0, 8));
    expect(await takeIds(client.tail('foo', { last: 0 }), 2)).toEqual(ids(6, 8));
  });

  it('together with `since` yields no older event', async () => {
    const { service, client } = await startHistory(events.slice(0, 6), events.slice(0, 8));
    const since = events[4]!['@timestamp'];
    expect(await takeIds(client.tail('foo', { last: 3, since }), 4)).toEqual(ids(4, 8));
    expect(service.requests[0]?.json()).toEqual({ queryString: 'foo', isLive: false, start: since });
  });

  it('requests past events again if the service loses its job', async () => {
    let jobs = 0;
    const service = await startService((request, response) => {
      if (request.path.endsWith('/query')) return response.write(lines(events.slice(0, 3)));
      if (request.method === 'POST') return sendJson(response, { id: `job-${jobs++}` });
      if (request.method === 'DELETE') return response.writeHead(204).end();
      if (request.path.endsWith('job-0')) return sendText(response, 404, '');
      if (request.path.endsWith('job-1')) return sendText(response, 502, 'bad gateway');
      return sendJson(response, pollAnswer({ events: events.slice(0, 2).toReversed() }));
    });
    expect(await takeIds(clientOf(service).tail('foo', { last: 2 }), 3)).toEqual(ids(0, 3));
    await expect.poll(() => service.calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(3);
  });
});

describe.each(SERVICE_KINDS)('tail() of a local server (%s)', (kind) => {
  it('yields nothing older than `start`, although its live query searches further back', async () => {
    const { client, log } = await startLocal(kind, 0);
    const now = Date.now();
    await log(1, now - 20_000);
    await log(1, now - 1_000);
    const tail = client.tail<{ n: string }>('n=*', { last: 5, start: '10s' });
    expect((await tail.next()).value).toMatchObject({ n: '1' });
    const next = tail.next();
    await log(1, now);
    expect((await next).value).toMatchObject({ n: '2' });
    await tail.return();
  });

  it.each(['select(n)', 'drop(@id)', 'drop(@timestamp)', 'rename(@id, as=id)', 'rename(n, as=@id)'])(
    'fails if the query removes @id or @timestamp or writes @id, and yields no events: %s',
    async (query) => {
      const { client } = await startLocal(kind, 4);
      for (const last of [2, 0]) {
        const { seen, error } = await takeAll(client.tail<{ n: string }>(query, { last }), 1);
        expect(seen).toEqual([]);
        expect(error).toBeInstanceOf(LogOptionsException);
        expect(error).toMatchObject({ message: expect.stringContaining('Keep both in the query') });
      }
    },
  );

  it.each(['regex("(?<@id>.)", field=n)', '@id := "x"'])(
    'yields each event of a query that writes equal IDs, also after quiet polls: %s',
    async (step) => {
      const { client, log } = await startLocal(kind, 60);
      const tail = client.tail<{ n: string }>(`n=* | ${step}`);
      const { seen } = await takeAll(tail, 60, false);
      const next = tail.next();
      seen.push(...(await log(1)));
      expect((await next).value).toMatchObject({ n: '60' });
      await tail.return();
      expect(seen.map(Number).toSorted((left, right) => left - right)).toEqual([...Array(61).keys()]);
    },
  );

  it('accepts a query without @id if there are no past events', async () => {
    const { client, log, liveQueries } = await startLocal(kind, 0);
    const tail = client.tail<{ n: string }>('select(n)', { last: 2 });
    const first = tail.next();
    await expect.poll(liveQueries).toBe(1);
    await log(1);
    expect(await first).toEqual({ done: false, value: { n: '0' } });
    await tail.return();
  });

  it.each(['n=*', 'head(1000)', 'select([@id, @timestamp, n])'])(
    'yields exactly `last` past events, even if all have the same time: %s',
    async (query) => {
      const { client, log, liveQueries } = await startLocal(kind, 450, 1_000);
      for (const last of [0, 1, 2, 300]) {
        const tail = client.tail<{ n: string }>(query, { last });
        const past = await takeAll(tail, last, false);
        expect(new Set(past.seen).size).toBe(last);
        const next = tail.next();
        await expect.poll(liveQueries).toBe(1);
        const [added] = await log(1);
        expect((await next).value).toMatchObject({ n: added });
        await tail.return();
      }
    },
  );

  it.each([0, 1, 9])(
    'with `last: %d` yields each event that arrives, however old its time is',
    async (last) => {
      const { client, log, liveQueries } = await startLocal(kind, 3);
      const tail = client.tail<{ n: string }>('n=*', { last });
      for (let past = 0; past < Math.min(last, 3); past++) await tail.next();
      const next = tail.next();
      await expect.poll(liveQueries).toBe(1);
      await log(1, Date.now() - 3 * 3_600_000);
      expect((await next).value).toMatchObject({ n: '3' });
      // Next-Gen SIEM is asked for events of a day around their arrival.
      await log(1, Date.now() - (kind === 'ngsiem' ? 23 : 99) * 3_600_000);
      expect((await tail.next()).value).toMatchObject({ n: '4' });
      await tail.return();
    },
  );

  it('yields a late event with the same time as the oldest event it has yielded', async () => {
    const timestamp = Date.now() - 1_000;
    const { client, log } = await startLocal(kind, 3, 1_000, timestamp);
    const tail = client.tail<{ n: string }>('n=*', { last: 1 });
    expect((await tail.next()).value).toMatchObject({ n: '2' });
    const next = tail.next();
    await log(1, timestamp);
    expect((await next).value).toMatchObject({ n: '3' });
    await tail.return();
  });

  it('does not restart a query such as head() after its last events', async () => {
    const { client } = await startLocal(kind, 450);
    const controller = new AbortController();
    const tail = client.tail<{ n: string }>('head(5)', { last: 2, signal: controller.signal });
    expect((await takeAll(tail, 2, false)).seen).toEqual(['3', '4']);
    setTimeout(() => controller.abort(), 300);
    expect((await takeAll(tail, 1)).seen).toEqual([]);
  });

  it('with `since` rejects events without a time', async () => {
    const { client } = await startLocal(kind, 2);
    const { seen, error } = await takeAll(client.tail<{ n: string }>('select(n)', { since: Date.now() }), 1);
    expect(seen).toEqual([]);
    expect(error).toMatchObject({
      code: 'LOG_BAD_OPTION',
      message: expect.stringContaining('"since" needs'),
    });
  });
});

/** A local server with some events, numbered from 0 with the same time, and a function that logs the next ones. */
async function startLocal(kind: ServiceKind, count: number, agoMs = 0, timestamp = Date.now() - agoMs) {
  const { server, client, log: logEvents } = await startServiceOfKind(kind);
  let logged = 0;
  const log = async (more: number, at = Date.now()): Promise<string[]> => {
    const numbers = Array.from({ length: more }, () => String(logged++));
    if (more > 0) await logEvents(numbers.map((n) => ({ timestamp: at, attributes: { n } })));
    return numbers;
  };
  await log(count, timestamp);
  /** Number of running live queries. */
  const liveQueries = (): number =>
    server.inspect.store().liveStreams + server.inspect.jobs().filter(({ isLive }) => isLive).length;
  return { client, log, liveQueries };
}

/** The numbers of some events, and the error that ended the tail before. */
async function takeAll(tail: AsyncGenerator<{ n: string }>, count: number, ends = true) {
  const seen: string[] = [];
  let error: unknown;
  try {
    while (seen.length < count) {
      const { done, value } = await tail.next();
      if (done) break;
      seen.push(value.n);
    }
    if (ends) await tail.return(undefined);
  } catch (caught) {
    error = caught;
  }
  return { seen, error };
}
