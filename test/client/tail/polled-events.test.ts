import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogClient } from '../../../src/client/log-client.ts';
import type { TailSkip } from '../../../src/client/tail/tail-options.ts';
import { LogQueryException } from '../../../src/core/errors.ts';
import { takeIds } from '../../helpers/collect.ts';
import { eventually } from '../../helpers/eventually.ts';
import { sendJson, sendText, startService } from '../../helpers/http-service.ts';
import { makeEvents, type PollAnswer, pollAnswer, type TestEvent } from '../../helpers/query-answers.ts';
import { SERVICE_KINDS, startServiceOfKind } from '../../helpers/service-kinds.ts';

beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => random.mockRestore();
});

const events = makeEvents(1_000);
const BEGIN = 1_770_000_000_000;

/** The newest 200 of some events, as in a live job's result, for an interval that starts with the first one. */
function shown(some: readonly TestEvent[]): PollAnswer {
  return {
    events: some.slice(-200).toReversed(),
    hasMoreEvents: some.length > 200,
    metaData: { queryStart: BEGIN, queryEnd: BEGIN + 100_000 },
  };
}

interface Script {
  /** Responses of live jobs, counted over all jobs; undefined is a 404. */
  readonly poll: (count: number) => PollAnswer | undefined;
  /** All events that static jobs find. */
  readonly past?: readonly TestEvent[];
}

/** A service without streaming. */
async function start({ poll, past = [] }: Script) {
  const jobs = new Map<string, { isLive?: boolean; around?: { eventId: string } }>();
  let polls = 0;
  let created = 0;
  const service = await startService((request, response) => {
    if (request.path.endsWith('/query')) return sendText(response, 400, 'This query can not be streamed.');
    const id = request.path.split('/')[6] ?? '';
    if (request.method === 'POST') {
      const newId = `job-${created++}`;
      jobs.set(newId, request.json());
      return sendJson(response, { id: newId });
    }
    const job = jobs.get(id);
    if (request.method === 'DELETE') {
      jobs.delete(id);
      return response.writeHead(204).end();
    }
    if (job?.isLive !== true) {
      const at = past.findIndex((event) => event['@id'] === job?.around?.eventId);
      return sendJson(response, pollAnswer(shown(at === -1 ? past : past.slice(0, at + 1))));
    }
    const answer = poll(polls++);
    if (answer === undefined) return sendText(response, 404, '');
    return sendJson(response, pollAnswer(answer));
  });
  const client = new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
  return { service, client, jobs };
}

const ids = (from: number, to: number): unknown[] => events.slice(from, to).map((event) => event['@id']);

describe('The tail of a query that cannot be streamed', () => {
  it('polls a live job, yields new events oldest first, and deletes the job', async () => {
    const { service, client, jobs } = await start({
      poll: (count) => shown(events.slice(0, 3 * (count + 1))),
    });
    expect(await takeIds(client.tail('foo', { start: '5 minutes' }), 9)).toEqual(ids(0, 9));
    expect(service.calls.slice(0, 2)).toEqual([
      'POST /api/v1/repositories/r/query',
      'POST /api/v1/repositories/r/queryjobs',
    ]);
    expect(service.requests[1]?.json()).toEqual({
      queryString: 'foo',
      isLive: true,
      start: expect.stringMatching(/^30\ds$/),
    });
    await expect.poll(() => jobs.size).toBe(0);
  });

  it('yields rows of an aggregate function that returns events, such as tail() and sort()', async () => {
    const { client } = await start({
      poll: (count) => ({
        events: [2, 0, 1, 3].slice(0, 3 + count).map((index) => events[index]!),
        isAggregate: true,
      }),
    });
    expect(await takeIds(client.tail('foo | sort(n)'), 4)).toEqual(ids(0, 4));
  });

  it('continues with a new job if the service has lost its job', async () => {
    const told: unknown[] = [];
    const { client, jobs } = await start({
      poll: (count) => (count % 2 === 1 ? undefined : shown(events.slice(0, count + 1))),
    });
    const tail = client.tail('foo', { onReconnect: ({ error }) => told.push(error) });
    expect(await takeIds(tail, 7)).toEqual(ids(0, 7));
    expect(told).toHaveLength(3);
    expect(told[0]).toMatchObject({ code: 'LOG_JOB_EXPIRED' });
    await expect.poll(() => jobs.size).toBe(0);
  });

  it('fetches events that exceed what the job shows between two polls', async () => {
    const { client, jobs } = await start({
      poll: (count) => shown(events.slice(0, count === 0 ? 100 : 1_000)),
      past: events,
    });
    expect(await takeIds(client.tail('foo'), 1_000)).toEqual(ids(0, 1_000));
    await expect.poll(() => jobs.size).toBe(0);
  });

  it('fetches past events that the job does not show', async () => {
    const { client } = await start({ poll: () => shown(events), past: events });
    expect(await takeIds(client.tail('foo', { start: '1 day' }), 1_000)).toEqual(ids(0, 1_000));
  });

  it('calls onSkip with the skipped interval if too many events arrive between two polls', async () => {
    const many = makeEvents(12_000);
    const skips: TailSkip[] = [];
    const { client } = await start({
      poll: (count) => shown(many.slice(0, count === 0 ? 100 : 12_000)),
      past: many,
    });
    const seen = await takeIds(client.tail('foo', { onSkip: (skip) => skips.push(skip) }), 10_000);
    expect(skips).toEqual([{ from: BEGIN + 990, to: expect.any(Number), reason: 'resultLimit' }]);
    const resumed = many.findIndex((event) => event['@id'] === seen[100]);
    expect(many[resumed]?.['@timestamp']).toBe(skips[0]?.to);
    expect(seen.slice(100)).toEqual(many.slice(resumed, resumed + 9_900).map((event) => event['@id']));
  });

  it('calls onSkip with the skipped interval if older events can not be fetched, because they have no time', async () => {
    const skips: TailSkip[] = [];
    const { client } = await start({
      poll: (count) => shown(events.slice(0, count === 0 ? 100 : 1_000)),
      past: events.map((event, index) => (index < 800 ? { ...event, '@timestamp': undefined! } : event)),
    });
    const seen = await takeIds(client.tail('foo', { onSkip: (skip) => skips.push(skip) }), 300);
    expect(seen).toEqual([...ids(0, 100), ...ids(800, 1_000)]);
    const [from, to] = [events[99]!['@timestamp'], events[800]!['@timestamp']];
    expect(skips).toEqual([{ from, to, reason: 'resultLimit' }]);
  });

  it('emits a process warning by default for events that an aggregate may have skipped', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => warned.mockRestore());
    const { client } = await start({
      poll: (count) => ({
        events: events.slice(count * 10, count * 10 + 3),
        isAggregate: true,
        metaData: { queryStart: BEGIN },
      }),
    });
    expect(await takeIds(client.tail('foo | tail(3)'), 6)).toEqual([...ids(0, 3), ...ids(10, 13)]);
    expect(warned.mock.calls).toEqual([
      [
        'tail() may have missed events from 2026-02-02T02:40:00.020Z to 2026-02-02T02:40:00.100Z (resultLimit).',
        'LogclientTailWarning',
      ],
    ]);
  });

  it.each([0, 3])('rejects rows that are not events and adds a hint, with `last: %i`', async (last) => {
    const { client, jobs } = await start({ poll: () => ({ events: [{ _count: '1' }], isAggregate: true }) });
    const error = await client
      .tail('count()', { last })
      .next()
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogQueryException);
    expect(String(error)).toContain(
      'This query can not be streamed.\ntail() and streamingQuery() need a query whose rows are events',
    );
    await expect.poll(() => jobs.size).toBe(0);
  });

  it.each(['signal', 'return'])(
    'stops on %s while it waits for the next poll, and deletes its job',
    async (way) => {
      const { client, jobs, service } = await start({
        poll: () => ({ ...shown(events.slice(0, 1)), pollAfter: 60_000 }),
      });
      const controller = new AbortController();
      const tail = client.tail('foo', { signal: controller.signal });
      await tail.next();
      const waiting = tail.next();
      await eventually(() => expect(service.calls.some((call) => call.startsWith('GET'))).toBe(true));
      if (way === 'signal') controller.abort();
      else await tail.return();
      expect(await waiting).toEqual({ done: true, value: undefined });
      await expect.poll(() => jobs.size).toBe(0);
    },
  );
});

describe.each(SERVICE_KINDS)('The tail of a query that a local server does not stream (%s)', (kind) => {
  it('yields events that match only after a later event, in the order in which they match', async () => {
    const { server, client, log: logEvents } = await startServiceOfKind(kind);
    const log = (...attributes: Record<string, string>[]): Promise<void> =>
      logEvents(attributes.map((each) => ({ timestamp: Date.now(), attributes: each })));
    const query = 'selfJoinFilter(order, where=[{ step=begin }, { step=end }])';
    const seen: string[] = [];
    await log({ order: '1', step: 'begin' }, { order: '2', step: 'begin' });
    const tail = client.tail<{ order: string; step: string }>(query, { start: '1 hour' });
    await log({ order: '2', step: 'end' });
    for await (const { order, step } of tail) {
      seen.push(`${order} ${step}`);
      if (seen.length === 2) await log({ order: '1', step: 'end' });
      if (seen.length === 4) break;
    }
    expect(seen).toEqual(['2 begin', '2 end', '1 begin', '1 end']);
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });

  it('rejects an aggregate with a hint to use watch()', async () => {
    const { server, client } = await startServiceOfKind(kind);
    await expect(client.tail('count()').next()).rejects.toThrow('Use watch() for other queries');
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });
});
