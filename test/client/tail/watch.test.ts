import { beforeEach, expect, it, vi } from 'vitest';
import { LogClient } from '../../../src/client/log-client.ts';
import type { TailReconnect } from '../../../src/client/tail/live-query-options.ts';
import { collect } from '../../helpers/collect.ts';
import { sendJson, sendText, startService } from '../../helpers/http-service.ts';
import { type PollAnswer, pollAnswer } from '../../helpers/query-answers.ts';
import { SERVICE_KINDS, startServiceOfKind } from '../../helpers/service-kinds.ts';

beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => random.mockRestore();
});

/** A service whose live jobs respond with these results in order; undefined is a 404. */
async function start(answers: readonly (PollAnswer | undefined)[]) {
  let polls = 0;
  const service = await startService((request, response) => {
    if (request.method === 'POST') return sendJson(response, { id: '1-a' });
    if (request.method === 'DELETE') return response.writeHead(204).end();
    const answer = answers[Math.min(polls++, answers.length - 1)];
    return answer === undefined ? sendText(response, 404, '') : sendJson(response, pollAnswer(answer));
  });
  return new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
}

const running = (workDone: number, count: number): PollAnswer => ({
  events: [{ _count: String(count) }],
  isAggregate: true,
  done: false,
  metaData: { workDone, totalWork: 4 },
});
const done = (count: number): PollAnswer => ({ events: [{ _count: String(count) }], isAggregate: true });

const CANCELLED: PollAnswer = { cancelled: true, done: false };

async function watched(client: LogClient, count: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const { events, progress, isDone } of client.watch<{ _count: string }>('count()')) {
    seen.push([events[0]?._count, progress, isDone]);
    if (seen.length === count) break;
  }
  return seen;
}

it('watch() reports the progress of the search and its partial results', async () => {
  const client = await start([
    running(0, 0),
    running(0, 0),
    running(1, 7),
    running(3, 7),
    done(9),
    done(9),
    done(10),
  ]);
  expect(await watched(client, 5)).toEqual([
    ['0', 0, false],
    ['7', 0.25, false],
    ['7', 0.75, false],
    ['9', 1, true],
    ['10', 1, true],
  ]);
});

it('watch() does not show the progress of a job that replaces a lost one', async () => {
  const client = await start([done(9), undefined, running(1, 2), running(2, 5), done(9), done(12)]);
  expect(await watched(client, 2)).toEqual([
    ['9', 1, true],
    ['12', 1, true],
  ]);
});

it('watch() fails if the service cancels one job after the other', async () => {
  const client = await start([CANCELLED]);
  await expect(client.watch('count()').next()).rejects.toMatchObject({ code: 'LOG_JOB_CANCELLED' });
});

it.each([
  ['what it has found so far', running(1, 7)],
  ['the whole result', done(7)],
])('watch() also fails if each job is canceled after it has shown %s', async (_, shown) => {
  const client = await start(Array.from({ length: 41 }, (_, poll) => (poll % 2 === 0 ? shown : CANCELLED)));
  const reading = collect(client.watch('count()', { signal: AbortSignal.timeout(15_000) }));
  await expect(reading).rejects.toMatchObject({ code: 'LOG_JOB_CANCELLED' });
});

it('watch() replaces a lost job at once after an outage, and reports both', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.1);
  let polls = 0;
  const service = await startService((request, response) => {
    if (request.method === 'POST') return sendJson(response, { id: '1-a' });
    if (request.method === 'DELETE') return response.writeHead(204).end();
    const status = [undefined, 503, 503, 404][polls++];
    return status === undefined
      ? sendJson(response, pollAnswer(done(polls)))
      : sendText(response, status, '');
  });
  const client = new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
  const reconnects: TailReconnect[] = [];
  const onReconnect = (reconnect: TailReconnect): void => void reconnects.push(reconnect);
  for await (const { events } of client.watch('count()', { onReconnect })) {
    if (events[0]?._count === '5') break;
  }
  expect(reconnects).toMatchObject([
    { attempt: 1, delayMs: 50 },
    { attempt: 2, delayMs: 100 },
    { attempt: 3, delayMs: 0, error: { code: 'LOG_JOB_EXPIRED' } },
  ]);
});

it('watch() waits between jobs if the service loses each one after its first result', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999);
  const client = await start(
    Array.from({ length: 40 }, (_, poll) => (poll % 2 === 0 ? done(poll) : undefined)),
  );
  const waits: number[] = [];
  let last = performance.now();
  for await (const { events } of client.watch<{ _count: string }>('count()')) {
    waits.push(performance.now() - last);
    last = performance.now();
    if (events[0]?._count === '4') break;
  }
  // The first lost job is replaced immediately.
  expect(waits[2]).toBeGreaterThan(900);
});

it('watch() yields a result if any field of any row changes, and only then', async () => {
  const rows = (...values: (string | number)[]): PollAnswer => ({
    events: values.map((value, index) => ({ '@timestamp': index, value })),
  });
  const client = await start([
    rows('a', 'b'),
    rows('a', 'b'),
    rows('a', 'c'),
    rows('a'),
    rows('a', 'c'),
    {
      events: [
        { '@timestamp': 0, value: 'a' },
        { '@timestamp': 1, other: 'c' },
      ],
    },
    {
      events: [
        { '@timestamp': 0, value: 'a' },
        { other: 'c', '@timestamp': 1 },
      ],
    },
    rows(1),
    rows('1'),
  ]);
  const seen: unknown[] = [];
  for await (const { events } of client.watch('foo')) {
    seen.push(events.map(({ value }) => value));
    if (seen.length === 7) break;
  }
  expect(seen).toEqual([['a', 'b'], ['a', 'c'], ['a'], ['a', 'c'], ['a', undefined], [1], ['1']]);
});

it.each(SERVICE_KINDS)('watch() follows the count of a local server: %s', async (kind) => {
  const { server, client, log } = await startServiceOfKind(kind);
  const seen: unknown[] = [];
  for await (const { events, isDone } of client.watch<{ _count: string }>('count()')) {
    expect(isDone).toBe(true);
    seen.push(events[0]?._count);
    if (seen.length === 3) break;
    await log([{ timestamp: Date.now(), attributes: { n: 1 } }]);
  }
  expect(seen).toEqual(['0', '1', '2']);
  await expect.poll(() => server.inspect.jobs()).toEqual([]);
});
