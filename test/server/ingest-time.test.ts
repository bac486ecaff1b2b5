import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { cases } from '../helpers/laws.ts';
import { createJob, ingest, poll, post, type Row, runJob, stream } from './query-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);
const MINUTE = 60_000;

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer({ now: NOW });
});
afterEach(() => server.close());

interface Times {
  readonly n: number;
  readonly happened: number;
  readonly arrived: number;
}

/** Ingests an event with one time that arrives at another. */
async function arrive({ n, happened, arrived }: Times): Promise<void> {
  server.clock.set(arrived);
  await ingest(server, [{ timestamp: happened, attributes: { n } }]);
}

function numbers(rows: readonly Row[]): number[] {
  return rows.map(({ n }) => Number(n)).sort((a, b) => a - b);
}

/** An event that arrives on time and one that arrives an hour late. */
async function ingestOnTimeAndLate(): Promise<void> {
  await arrive({ n: 1, happened: NOW - 90 * MINUTE, arrived: NOW - 90 * MINUTE });
  await arrive({ n: 2, happened: NOW - 90 * MINUTE, arrived: NOW - 30 * MINUTE });
  server.clock.set(NOW);
}

describe('Interval of ingest times', () => {
  it('replaces start and end if useIngestTime is set', async () => {
    await ingestOnTimeAndLate();
    const late = { useIngestTime: true, ingestStart: '1h', start: '1m' };
    expect(numbers((await runJob(server, '*', late)).events)).toEqual([2]);
    expect(numbers(await stream(server, '*', late))).toEqual([2]);
    const onTime = { useIngestTime: true, ingestStart: NOW - 100 * MINUTE, ingestEnd: NOW - 60 * MINUTE };
    expect(numbers((await runJob(server, '*', onTime)).events)).toEqual([1]);
  });

  it('defaults to start and end if useIngestTime is set without ingestStart and ingestEnd', async () => {
    await ingestOnTimeAndLate();
    const { events, metaData } = await runJob(server, '*', { useIngestTime: true, start: '1h' });
    expect(numbers(events)).toEqual([2]);
    expect([metaData.queryStart, metaData.queryEnd]).toEqual([NOW - 60 * MINUTE, NOW]);
  });

  it('applies in addition to start and end without useIngestTime', async () => {
    await ingestOnTimeAndLate();
    await arrive({ n: 3, happened: NOW, arrived: NOW });
    const both = { start: '2h', end: '1h', ingestStart: '1h' };
    expect(numbers((await runJob(server, '*', both)).events)).toEqual([2]);
    expect(numbers(await stream(server, '*', both))).toEqual([2]);
    expect(await stream(server, 'count()', both)).toEqual([{ _count: '1' }]);
  });

  it('is overridden by setTimeInterval() if useIngestTime is set', async () => {
    await ingestOnTimeAndLate();
    const query = 'setTimeInterval(start="1h") | *';
    expect(numbers((await runJob(server, query, { useIngestTime: true })).events)).toEqual([2]);
    expect(numbers((await runJob(server, query, {})).events)).toEqual([]);
  });

  it('applies to subqueries if useIngestTime is set', async () => {
    await ingestOnTimeAndLate();
    const query = 'join({*}, field=n, key=n) | count()';
    const { events } = await runJob(server, query, { useIngestTime: true, ingestStart: '1h' });
    expect(events).toEqual([{ _count: '1' }]);
  });

  it('moves with the server clock in a live query job', async () => {
    await ingestOnTimeAndLate();
    const live = { isLive: true, useIngestTime: true, ingestStart: '1h' };
    const id = await createJob(server, 'count()', live);
    const counts: unknown[] = [];
    for (const minutes of [0, 31, 0]) {
      server.clock.advance(minutes * MINUTE);
      counts.push((await poll(server, id)).events);
      await ingest(server, [{ timestamp: NOW, attributes: { n: 9 } }]);
    }
    expect(counts).toEqual([[{ _count: '1' }], [{ _count: '1' }], [{ _count: '2' }]]);
  });

  it('lets a live stream include an event with a timestamp long before its start', async () => {
    const controller = new AbortController();
    const body = { queryString: '*', isLive: true, useIngestTime: true, ingestStart: '1m' };
    const response = await post(server, `repositories/${server.repository}/query`, JSON.stringify(body), {
      headers: { accept: 'application/x-ndjson' },
      signal: controller.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    await arrive({ n: 7, happened: NOW - 600 * MINUTE, arrived: NOW + MINUTE });
    let text = '';
    while (!text.includes('\n')) text += (await reader.read()).value ?? '';
    expect(JSON.parse(text)).toMatchObject({ n: '7' });
    controller.abort();
    await reader.cancel().catch(() => {});
  });

  it.each([
    [{ useIngestTime: 'yes' }, "Member 'useIngestTime' must be true or false."],
    [{ ingestStart: 1.5 }, "Member 'ingestStart' must be a whole number"],
    [{ ingestEnd: true }, "Member 'ingestEnd' must be a whole number"],
    [{ ingestStart: 'soon' }, 'soon'],
    [{ ingestStart: '1h', ingestEnd: '2h' }, 'is after its end'],
    [{ ingestStart: '1h', ingestEnd: '1m', isLive: true }, "omit 'ingestEnd'"],
    [{ ingestStart: '1h', ingestEnd: '1m', isLive: true, useIngestTime: true }, "omit 'ingestEnd'"],
  ])('is rejected with status 400: %j', async (members, problem) => {
    const body = JSON.stringify({ queryString: '*', ...members });
    const response = await post(server, `repositories/${server.repository}/queryjobs`, body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(problem);
  });
});

describe('Intervals of event times and ingest times', () => {
  it('select exactly the events with both times inside, in jobs and streams', async () => {
    const minute = fc.integer({ min: -20, max: 0 });
    const interval = fc.tuple(minute, minute).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    const at = (minutes: number): number => NOW + minutes * MINUTE;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(minute, minute), { maxLength: 12 }),
        interval,
        interval,
        fc.boolean(),
        async (times, happenedIn, arrivedIn, useIngestTime) => {
          await server.close();
          server = await startLocalServer({ now: NOW, listen: false });
          for (const [n, [happened, arrived]] of times.entries()) {
            await arrive({ n, happened: at(happened), arrived: at(arrived) });
          }
          server.clock.set(NOW);
          const isIn = (value: number, [from, to]: readonly [number, number]) => value >= from && value <= to;
          const expected = [...times.entries()].filter(
            ([, [happened, arrived]]) =>
              isIn(arrived, arrivedIn) && (useIngestTime || isIn(happened, happenedIn)),
          );
          const members = {
            useIngestTime,
            start: at(happenedIn[0]),
            end: at(happenedIn[1]),
            ingestStart: at(arrivedIn[0]),
            ingestEnd: at(arrivedIn[1]),
          };
          const found = expected.map(([n]) => n);
          expect(numbers((await runJob(server, '*', members)).events)).toEqual(found);
          expect(numbers(await stream(server, '*', members))).toEqual(found);
        },
      ),
      cases(6),
    );
  });
});
