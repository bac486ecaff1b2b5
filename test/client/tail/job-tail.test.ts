import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogClient } from '../../../src/client/log-client.ts';
import type { TailReconnect } from '../../../src/client/tail/live-query-options.ts';
import { LogOptionsException } from '../../../src/core/errors.ts';
import type { Fault } from '../../../src/server/index.ts';
import { collect } from '../../helpers/collect.ts';
import { type LoggedEvent, startServiceOfKind } from '../../helpers/service-kinds.ts';

/** Removes the random delay of reconnections. */
beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => random.mockRestore();
});

const range = (count: number, from = 0): number[] => Array.from({ length: count }, (_, n) => from + n);
const eventsOf = (numbers: readonly number[], timestamp = Date.now()): LoggedEvent[] =>
  numbers.map((n) => ({ timestamp, attributes: { n: String(n) } }));

/** The numbers of the first events of a tail. */
async function take(tail: AsyncGenerator<{ n: string }>, count: number): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { n } of tail) {
    numbers.push(Number(n));
    if (numbers.length === count) break;
  }
  return numbers;
}

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((left, right) => left - right);

/** A tail has finished existing events once it yields an event that existed before. */
async function startTail(client: LogClient, options = {}) {
  const tail = client.tail<{ n: string }>('n=*', options);
  const first = await tail.next();
  expect(first.value).toMatchObject({ n: '0' });
  return tail;
}

describe('A tail on Next-Gen SIEM', () => {
  it('yields bursts of 1,000 events between two polls, sorted by time, and deletes its jobs', async () => {
    const { server, client, log } = await startServiceOfKind('ngsiem');
    await log(eventsOf([0]));
    const tail = await startTail(client);
    const now = Date.now();
    for (const round of range(3)) {
      await log(
        range(1_000, 1 + round * 1_000)
          .map((n) => eventsOf([n], now + n)[0]!)
          .toReversed(),
      );
    }
    expect(await take(tail, 3_000)).toEqual(range(3_000, 1));
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });

  it('keeps up with 1,000 events per second, some of them ten minutes late', async () => {
    const { server, client, log } = await startServiceOfKind('ngsiem');
    await log(eventsOf([0]));
    const tail = await startTail(client);
    const reading = take(tail, 1_000);
    const begin = performance.now();
    const sent: Promise<void>[] = [];
    for (let next = 1; next <= 1_000; ) {
      await delay(50);
      const due = Math.min(1_001, 1 + Math.floor(performance.now() - begin));
      const events = range(due - next, next).flatMap((n) =>
        eventsOf([n], Date.now() - (n % 50 === 0 ? 600_000 : n % 7)),
      );
      if (events.length > 0) sent.push(log(events));
      next = due;
    }
    await Promise.all(sent);
    expect(sorted(await reading)).toEqual(range(1_000, 1));
    // Without a backlog: a page has 200 events, and each needs a few requests.
    expect(server.inspect.requests({ path: 'queryjobs' }).length).toBeLessThan(250);
  });

  it('yields an event that arrives an hour late while 1,000 newer ones arrive', async () => {
    const { client, log } = await startServiceOfKind('ngsiem');
    await log(eventsOf([0]));
    const tail = await startTail(client);
    await log([...eventsOf(range(500, 1)), ...eventsOf([9_999], Date.now() - 3_600_000)]);
    await log(eventsOf(range(500, 501)));
    expect(sorted(await take(tail, 1_001))).toEqual([...range(1_000, 1), 9_999]);
  });

  it.each<[string, Partial<Fault>]>([
    ['deletes its job', { status: 404 }],
    ['drops the connection', { reset: 'before' }],
    ['is unavailable', { status: 503 }],
  ])('continues after the last event when the service %s', async (_, fault) => {
    const { server, client, log } = await startServiceOfKind('ngsiem');
    await log(eventsOf([0]));
    const reconnects: TailReconnect[] = [];
    const tail = await startTail(client, { onReconnect: (each: TailReconnect) => reconnects.push(each) });
    for (const round of range(3)) {
      server.faults.add({ path: '/queryjobs/', method: 'GET', ...fault, times: 6 });
      await log(eventsOf(range(300, 1 + round * 300)));
      const numbers: number[] = [];
      while (numbers.length < 300) numbers.push(Number((await tail.next()).value?.n));
      expect(sorted(numbers)).toEqual(range(300, 1 + round * 300));
    }
    await tail.return();
    expect(reconnects.length).toBeGreaterThan(0);
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });

  it('yields each event once to a consumer so slow that the job expires', async () => {
    const { server, client, log } = await startServiceOfKind('ngsiem', { liveJobLifetimeMs: 300 });
    await log(eventsOf(range(3)));
    const tail = await startTail(client);
    await log(eventsOf(range(700, 3)));
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
    expect(sorted(await take(tail, 702))).toEqual(range(702, 1));
  });

  it('sends no poll while its consumer does not read', async () => {
    const { server, client, log } = await startServiceOfKind('ngsiem');
    await log(eventsOf([0]));
    const tail = await startTail(client);
    const polls = (): number => server.inspect.requests({ method: 'GET', path: '/queryjobs/' }).length;
    const before = polls();
    await log(eventsOf(range(5_000, 1)));
    expect(polls()).toBe(before);
    await tail.return();
  });

  it.each(['tail', 'paged query'])('renews an expired token once in a %s', async (way) => {
    const { server, client, log } = await startServiceOfKind('ngsiem', { now: Date.now() });
    const logNow = async (numbers: readonly number[]): Promise<void> => {
      await log(eventsOf(numbers, server.clock.now()));
      server.clock.advance(1_000);
    };
    const expireToken = (): void => server.clock.advance(3_600_000);
    const numbers: number[] = [];
    await logNow(range(701));
    if (way === 'tail') {
      const tail = client.tail<{ n: string }>('n=*');
      while (numbers.length < 350) numbers.push(Number((await tail.next()).value?.n));
      expireToken();
      await logNow(range(700, 701));
      numbers.push(...(await take(tail, 1_051)));
    } else {
      await using job = await client.createQueryJob<{ n: string }>('n=*');
      for await (const { events } of job.pollUntilDone()) {
        numbers.push(...events.map(({ n }) => Number(n)));
        if (numbers.length === 200) expireToken();
      }
    }
    expect(sorted(numbers)).toEqual(range(way === 'tail' ? 1_401 : 701));
    expect(server.inspect.requests({ path: '/oauth2/token' })).toHaveLength(2);
  });

  it('yields the rows of aggregate functions that return events', async () => {
    const { client, log } = await startServiceOfKind('ngsiem');
    await log(eventsOf(range(3)));
    expect(await take(client.tail<{ n: string }>('n=* | sort(n)'), 3)).toEqual(range(3));
  });

  it('yields rows without @id and @timestamp', async () => {
    const { client, log } = await startServiceOfKind('ngsiem');
    await log(eventsOf(range(3)));
    const tail = client.tail<{ n: string }>('n=* | select(n)');
    expect(await take(tail, 3)).toEqual(range(3));
  });

  it('rejects a query with a syntax error', async () => {
    const { client } = await startServiceOfKind('ngsiem');
    await expect(client.tail('count(').next()).rejects.toMatchObject({ code: 'LOG_QUERY' });
  });
});

describe('A live streaming query on Next-Gen SIEM', () => {
  it('yields existing and new events, and rejects with the reason of its signal', async () => {
    const { server, client, log } = await startServiceOfKind('ngsiem');
    await log(eventsOf([0, 1]));
    const controller = new AbortController();
    const reason = new Error('enough');
    const numbers: string[] = [];
    const reading = (async () => {
      const rows = client.streamingQuery<{ n: string }>('n=*', { isLive: true, signal: controller.signal });
      for await (const { n } of rows) {
        numbers.push(n);
        if (n === '1') await log(eventsOf([2]));
        if (n === '2') controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(numbers).toEqual(['0', '1', '2']);
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });

  it('deletes its job if return() is called while it waits for events', async () => {
    const { server, client } = await startServiceOfKind('ngsiem');
    const rows = client.streamingQuery('*', { isLive: true });
    const waiting = rows.next();
    await expect.poll(() => server.inspect.jobs()).toHaveLength(1);
    await rows.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });

  it.each([
    [{ start: 5 }, 'a live query needs a relative "start"'],
    [{ ingestStart: '1h' }, `a live query can't have a range of ingest times`],
  ])('rejects %j immediately', async (options, message) => {
    const { client } = await startServiceOfKind('ngsiem');
    const call = () => client.streamingQuery('*', { isLive: true, ...options });
    expect(call).toThrow(LogOptionsException);
    expect(call).toThrow(message);
  });
});

it('a streaming query on Next-Gen SIEM deletes its job when return() is called', async () => {
  const { server, client, log } = await startServiceOfKind('ngsiem');
  await log(eventsOf(range(450)));
  const rows = client.streamingQuery<{ n: string }>('n=*');
  expect((await rows.next()).value).toMatchObject({ n: '0' });
  await rows.return();
  await expect.poll(() => server.inspect.jobs()).toEqual([]);
  expect(await collect(client.streamingQuery('count()'))).toEqual([{ _count: '450' }]);
});
