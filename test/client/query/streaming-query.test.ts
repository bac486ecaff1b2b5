import { describe, expect, it } from 'vitest';
import { streamingQuery } from '../../../src/client/query/streaming-query.ts';
import {
  LogConnectionDroppedException,
  type LogHTTPException,
  LogOptionsException,
  LogQueryException,
} from '../../../src/core/errors.ts';
import { WebCaller } from '../../../src/core/http/node/web-caller.ts';
import { collect } from '../../helpers/collect.ts';
import { eventually } from '../../helpers/eventually.ts';
import { holdTimers } from '../../helpers/hand-timers.ts';
import { type Answer, type HttpService, sendText, startService } from '../../helpers/http-service.ts';
import { makeEvents } from '../../helpers/query-answers.ts';
import { SERVICE_KINDS, startServiceOfKind } from '../../helpers/service-kinds.ts';

const TOKEN = 'AbCdEfGhIjKlMnOpQrStUvWx~0123456789';

async function start(answer: Answer) {
  const service: HttpService = await startService(answer);
  return {
    service,
    scope: { webCaller: new WebCaller(service.url), repository: 'my/repo', service: 'logscale' as const },
  };
}

const lines = (events: readonly object[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

describe('streamingQuery()', () => {
  it('yields all events of an NDJSON response', async () => {
    const events = makeEvents(1_000);
    const { service, scope } = await start((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'humio-query-id': 'IQ-1' });
      response.end(`\n${lines(events.slice(0, 500))}\n\n${lines(events.slice(500))}`);
    });
    expect(await collect(streamingQuery(scope, 'foo', { start: '1h', timeZoneOffsetMinutes: 60 }))).toEqual(
      events,
    );
    expect(service.calls).toEqual(['POST /api/v1/repositories/my%2Frepo/query']);
    expect(service.requests[0]?.headers.accept).toBe('application/x-ndjson');
    expect(service.requests[0]?.json()).toEqual({
      queryString: 'foo',
      start: '1h',
      timeZoneOffsetMinutes: 60,
    });
  });

  it('sends nothing until it is iterated, and rejects invalid options before that', async () => {
    const { service, scope } = await start((_, response) => response.end());
    const rows = streamingQuery(scope, 'foo');
    expect(() => streamingQuery(scope, 'foo', { isLive: true, start: 5 })).toThrow(LogOptionsException);
    expect(service.calls).toEqual([]);
    expect(await rows.next()).toEqual({ done: true, value: undefined });
  });

  it('closes its connection when the loop exits early', async () => {
    let isClosed = false;
    const { scope } = await start((_, response) => {
      response.on('close', () => {
        isClosed = true;
      });
      response.write(lines(makeEvents(3)));
    });
    for await (const event of streamingQuery(scope, '*', { isLive: true })) {
      expect(event['@rawstring']).toBe('message 0');
      break;
    }
    await eventually(() => expect(isClosed).toBe(true));
  });

  it.each([true, false])(
    'throws LogConnectionDroppedException if the service is silent for idleTimeoutMs (isLive: %s)',
    async (isLive) => {
      let isClosed = false;
      const { scope } = await start((_, response) => {
        response.on('close', () => {
          isClosed = true;
        });
        response.write(lines(makeEvents(1)));
      });
      const rows = streamingQuery(scope, '*', { isLive, idleTimeoutMs: 50, timeoutMs: 60_000 });
      expect(await rows.next()).toMatchObject({ value: { '@rawstring': 'message 0' } });
      const failure = rows.next();
      await expect(failure).rejects.toThrow(LogConnectionDroppedException);
      await expect(failure).rejects.toThrow(
        /^127\.0\.0\.1:\d+ has sent nothing for 50 ms \(idleTimeoutMs\)\.$/,
      );
      await eventually(() => expect(isClosed).toBe(true));
    },
  );

  it('does not count blank lines and the time of a slow reader as silence', async () => {
    const idle = holdTimers(1_000);
    let write = (_: string): unknown => undefined;
    const { scope } = await start((_, response) => {
      write = (text) => response.write(text);
      write(lines(makeEvents(1)));
    });
    const rows = streamingQuery(scope, '*', { isLive: true, idleTimeoutMs: 1_000 });
    await rows.next();
    expect(idle.running).toBe(0);
    const second = rows.next();
    await eventually(() => expect(idle.running).toBe(1));
    const { started } = idle;
    write('\n');
    await eventually(() => expect([idle.started, idle.running]).toEqual([started + 1, 1]));
    write(lines(makeEvents(2).slice(1)));
    expect(await second).toMatchObject({ value: { '@rawstring': 'message 1' } });
    await rows.return();
  });

  it('throws LogConnectionDroppedException if the service ends a live query', async () => {
    const { scope } = await start((_, response) => response.end(lines(makeEvents(1))));
    const rows = streamingQuery(scope, '*', { isLive: true });
    await rows.next();
    const failure = rows.next();
    await expect(failure).rejects.toThrow(LogConnectionDroppedException);
    await expect(failure).rejects.toThrow('The service ended a live query, which has no end.');
  });

  it('rejects an invalid idleTimeoutMs with an error that names it', async () => {
    const { scope } = await start((_, response) => response.end());
    expect(() => streamingQuery(scope, '*', { idleTimeoutMs: 0 })).toThrow('streamingQuery: "idleTimeoutMs"');
  });

  it.each(['before the headers', 'between two events'])('can be stopped with return() %s', async (moment) => {
    let isClosed = false;
    const { service, scope } = await start((_, response) => {
      response.on('close', () => {
        isClosed = true;
      });
      if (moment !== 'before the headers') response.write(lines(makeEvents(1)));
    });
    const rows = streamingQuery(scope, '*', { isLive: true });
    if (moment !== 'before the headers') await rows.next();
    const waiting = rows.next();
    await eventually(() => expect(service.calls).toHaveLength(1));
    await rows.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await eventually(() => expect(isClosed).toBe(true));
  });

  it('rejects with the reason of the signal', async () => {
    const { scope } = await start((_, response) => response.write(lines(makeEvents(1))));
    const controller = new AbortController();
    const reason = new Error('mine');
    const reading = (async () => {
      for await (const _ of streamingQuery(scope, '*', { signal: controller.signal }))
        controller.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
  });

  it('is not limited by timeoutMs once the response has started', async () => {
    const limits = holdTimers(2_000);
    const { scope } = await start((_, response) => response.write(lines(makeEvents(1))));
    const rows = streamingQuery(scope, '*', { timeoutMs: 2_000 });
    await rows.next();
    expect([limits.started, limits.running]).toEqual([1, 0]);
    await rows.return();
  });

  it('throws if the response is cut off', async () => {
    const { scope } = await start((_, response) => {
      response.write(`${lines(makeEvents(2))}{"@id":`);
      setTimeout(() => response.destroy(), 30);
    });
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const event of streamingQuery(scope, '*')) seen.push(event);
    })();
    await expect(reading).rejects.toBeInstanceOf(LogConnectionDroppedException);
    expect(seen).toHaveLength(2);
  });

  it('throws a LogQueryException for a query that the service rejects', async () => {
    const { scope } = await start((_, response) => sendText(response, 400, 'no such function: foo'));
    await expect(streamingQuery(scope, 'foo()').next()).rejects.toBeInstanceOf(LogQueryException);
  });

  it('names watch() if the service rejects a live query with an aggregate', async () => {
    const { scope } = await start((_, response) => sendText(response, 400, 'Aggregates need a query job.'));
    await expect(streamingQuery(scope, 'count()', { isLive: true }).next()).rejects.toThrow(
      'tail() and streamingQuery() need a query whose rows are events, with their @id. Use watch() for other queries.',
    );
    await expect(streamingQuery(scope, 'count()').next()).rejects.toThrow(/^Aggregates need a query job\.$/);
  });

  it.each(['[{"a":1}]', 'null', '5'])(
    'throws LOG_BAD_ANSWER, not a dropped-connection error, for the response %s',
    async (answer) => {
      const { scope } = await start((_, response) => response.end(answer));
      await expect(streamingQuery(scope, '*').next()).rejects.toMatchObject({ code: 'LOG_BAD_ANSWER' });
    },
  );

  it('reports the number and the start of a line that is not JSON, with tokens redacted', async () => {
    const line = `Internal error at shard 7 ${TOKEN} ${'x'.repeat(600)}`;
    const { scope } = await start((_, response) => response.end(`{"a":"1"}\n{"a":"2"}\n${line}\n`));
    const rows = streamingQuery(scope, '*', { headers: { authorization: `Bearer ${TOKEN}` } });
    await rows.next();
    await rows.next();
    const error = await rows.next().catch((caught: unknown) => caught as LogHTTPException);
    expect(error).toMatchObject({
      code: 'LOG_BAD_ANSWER',
      message: expect.stringContaining(
        'Line 3 of the response to a streaming query is not a JSON object: Internal error',
      ),
    });
    expect((error as LogHTTPException).body).toHaveLength(500);
    expect(String(error)).not.toContain(TOKEN);
  });
});

describe.each(SERVICE_KINDS)('streamingQuery() on a local server (%s)', (kind) => {
  const now = Date.now();
  const events = Array.from({ length: 450 }, (_, n) => ({
    timestamp: now - 450 + Math.floor(n / 2),
    attributes: { n: String(n), even: String(n % 2 === 0) },
  }));
  const numbers = events.map(({ attributes }) => ({ n: attributes.n }));

  it.each<[string, object[]]>([
    ['select(n)', numbers],
    ['select([@id, @timestamp, n]) | drop([@id, @timestamp])', numbers],
    ['even=true | select(n)', numbers.filter((_, n) => n % 2 === 0)],
    ['count()', [{ _count: '450' }]],
    [
      'groupBy(even, function=count())',
      [
        { even: 'true', _count: '225' },
        { even: 'false', _count: '225' },
      ],
    ],
    ['n=1 or n=2 | select(n)', numbers.slice(1, 3)],
    ['n=nothing', []],
  ])('yields the rows of %s, events oldest first', async (query, rows) => {
    const { server, client, log } = await startServiceOfKind(kind);
    await log(events);
    const streamed = await collect(client.streamingQuery(query, { start: '1 hour' }));
    expect(streamed).toHaveLength(rows.length);
    expect(streamed).toEqual(expect.arrayContaining(rows));
    if (!query.includes('groupBy')) expect(streamed).toEqual(rows);
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });

  it('yields events oldest first with all their fields', async () => {
    const { client, log } = await startServiceOfKind(kind);
    await log(events);
    const streamed = await collect(client.streamingQuery('n=*', { start: '1 hour' }));
    expect(streamed.map(({ n }) => n)).toEqual(events.map(({ attributes }) => attributes.n));
    expect(new Set(streamed.map((event) => event['@id'])).size).toBe(450);
  });

  it('finds late events by their ingest time', async () => {
    const { client, log } = await startServiceOfKind(kind);
    await log([{ timestamp: now - 7_200_000, attributes: { n: 'late' } }]);
    expect(await collect(client.streamingQuery('*', { start: '1 hour' }))).toEqual([]);
    const late = { useIngestTime: true, ingestStart: '1 hour' };
    expect(await collect(client.streamingQuery('*', late))).toMatchObject([{ n: 'late' }]);
    expect(await client.query('*', late)).toMatchObject([{ n: 'late' }]);
  });

  it('throws a LogQueryException for an invalid query', async () => {
    const { client } = await startServiceOfKind(kind);
    const error = await client
      .streamingQuery('count(')
      .next()
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogQueryException);
  });
});

it.each(SERVICE_KINDS)('a query job returns the events around a given event (%s)', async (kind) => {
  const { client, log } = await startServiceOfKind(kind);
  const now = Date.now();
  await log(Array.from({ length: 300 }, (_, n) => ({ timestamp: now - 300 + n, attributes: { n } })));
  const [known] = await client.query<{ '@id': string; '@timestamp': number }>('n=250');
  const around = {
    eventId: known!['@id'],
    timestamp: known!['@timestamp'],
    numberOfEventsBefore: 2,
    numberOfEventsAfter: 1,
  };
  const rows = await client.query<{ n: string }>('n=*', { around });
  expect(rows.map(({ n }) => n)).toEqual(['251', '250', '249', '248']);
});
