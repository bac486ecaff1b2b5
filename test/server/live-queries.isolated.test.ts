import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileQuery } from '../../src/engine/index.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { type IncrementalRun, incrementalRun } from '../../src/server/queries/incremental-run.ts';
import type { ResultCollector } from '../../src/server/queries/result-collector.ts';
import { cases } from '../helpers/laws.ts';
import { createJob, ingest, type Poll, poll } from './query-calls.ts';
import { RowStore, rowsIn } from './row-store.ts';

/** Length of the server's time slices. */
const slicing = vi.hoisted(() => ({ ms: 5 }));

vi.mock('../../src/server/event-loop.ts', async (original) => {
  const module = await original<typeof import('../../src/server/event-loop.ts')>();
  return Object.defineProperty({ ...module }, 'SLICE_MS', { get: () => slicing.ms });
});

afterEach(() => void Object.assign(slicing, { ms: 5 }));

const NOW = Date.UTC(2026, 1, 3, 9);
const WINDOW_MS = 60_000;

const QUERIES = [
  '*',
  'k=a',
  'count()',
  'count(k, distinct=true)',
  'groupBy(k)',
  'groupBy([k, n], limit=3)',
  'groupBy(k, function=[sum(n), collect(n), selectLast(n)]) | sort(_sum)',
  'groupBy(k, function={ n > 3 | max(n) | rank := _max * 2 })',
  'sort(n, limit=5)',
  'n > 5 | x := n * 2 | top(x)',
  'k=a | tail(3)',
  'head(2)',
  'table([n, k])',
  'timeChart(k, span=10s)',
  'bucket(span=5s)',
  'case { k=c | from := start() | to := end(); * | from := "no" } | groupBy([from, to])',
  'case { k=c | from := start(); * } | n < 4',
  'n=/(?<d>\\d)$/ | groupBy(d)',
  'k match { a => x := 1; b => x := 2 } | groupBy(x)',
  '[count(), avg(n)]',
  'selfJoinFilter(k, where=[{ n > 5 }, { n < 3 }]) | count()',
];

/** Polls until the job is done. */
async function finished(server: LocalServer, id: string): Promise<Poll> {
  for (;;) {
    const answer = await poll(server, id);
    if (answer.done || answer.cancelled) return answer;
    // Each poll costs more than a slice of the query.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Compares with the result of a static job. */
async function expectSameAsStatic(server: LocalServer, queryString: string, live: Poll): Promise<void> {
  const { queryStart: start, queryEnd: end } = live.metaData;
  const asked = await finished(server, await createJob(server, queryString, { start, end }));
  const shown = ({ events, metaData }: Poll): unknown => ({
    events,
    eventCount: metaData.eventCount,
    extraData: metaData.extraData,
    fieldOrder: (metaData as { fieldOrder?: unknown }).fieldOrder,
    processedEvents: metaData.processedEvents,
    warnings: metaData.warnings,
  });
  expect(shown(live), queryString).toEqual(shown(asked));
}

interface TestEvent {
  readonly ageMs: number;
  readonly k: string;
  readonly n: number;
}

type Action =
  | { readonly kind: 'ingest' | 'race'; readonly events: readonly TestEvent[] }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'poll' };

const testEvent = fc.record({
  // Late events, some beyond the window, and some from the future.
  ageMs: fc.oneof(fc.constant(0), fc.integer({ min: -2000, max: 5000 }), fc.integer({ min: 0, max: 90_000 })),
  k: fc.constantFrom('a', 'b', 'c'),
  n: fc.integer({ min: 0, max: 9 }),
});
const testEvents = fc.array(testEvent, { minLength: 1, maxLength: 8 });
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constantFrom('ingest', 'race'), events: testEvents }),
  fc.record({
    kind: fc.constant('advance'),
    ms: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 70_000 })),
  }),
  fc.record({ kind: fc.constant('poll') }),
);

async function take(server: LocalServer, events: readonly TestEvent[]): Promise<void> {
  const now = server.clock.now();
  await ingest(
    server,
    events.map(({ ageMs, k, n }) => ({ timestamp: now - ageMs, attributes: { k, n } })),
  );
}

describe('Live query', () => {
  it('always equals a static query over its window, for any slicing and interleaving of its work', async () => {
    const cuts = fc.constantFrom({ ms: 5 }, { ms: 0 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...QUERIES),
        fc.array(action, { minLength: 3, maxLength: 12 }),
        cuts,
        fc.constantFrom(1_000_000, 12),
        async (queryString, actions, cut, maxEvents) => {
          Object.assign(slicing, cut);
          const server = await startLocalServer({ listen: false, now: NOW, maxEvents });
          const id = await createJob(server, queryString, { isLive: true, start: `${WINDOW_MS}ms` });
          for (const step of actions) {
            if (step.kind === 'advance') server.clock.advance(step.ms);
            else if (step.kind === 'ingest') await take(server, step.events);
            else if (step.kind === 'race') {
              const polls = [poll(server, id), poll(server, id)];
              await take(server, step.events);
              await Promise.all(polls);
            }
            await finished(server, id);
            await expectSameAsStatic(server, queryString, await poll(server, id));
          }
          await server.close();
        },
      ),
      cases(4),
    );
  });

  it('drops events exactly when they leave its window', async () => {
    const server = await startLocalServer({ listen: false, now: NOW });
    for (const ageMs of [0, 1, 60_000]) await take(server, [{ ageMs, k: 'a', n: 1 }]);
    const id = await createJob(server, 'count()', { isLive: true, start: '10m' });
    const counted = async (): Promise<unknown> => (await poll(server, id)).events[0]?._count;
    expect(await counted()).toBe('3');
    server.clock.set(NOW + 540_000);
    expect(await counted()).toBe('3');
    server.clock.set(NOW + 541_000);
    expect(await counted()).toBe('2');
    server.clock.set(NOW + 600_000);
    expect(await counted()).toBe('1');
    server.clock.set(NOW + 602_000);
    expect(await counted()).toBe('0');
    await server.close();
  });

  it('includes future events once their time has come', async () => {
    const server = await startLocalServer({ listen: false, now: NOW });
    await take(server, [{ ageMs: -5000, k: 'a', n: 1 }]);
    const id = await createJob(server, 'count()', { isLive: true, start: '1m' });
    expect((await poll(server, id)).events).toEqual([{ _count: '0' }]);
    server.clock.advance(5000);
    expect((await poll(server, id)).events).toEqual([{ _count: '1' }]);
    await server.close();
  });

  it('reports its cost and the quota spent', async () => {
    const server = await startLocalServer({ listen: false });
    await take(server, [{ ageMs: 0, k: 'a', n: 1 }]);
    await finished(server, await createJob(server, 'count()'));
    const live = await finished(server, await createJob(server, 'count()', { isLive: true }));
    const { querySpent, quotaTotalSpent, costs } = live.metaData as unknown as Record<
      'querySpent' | 'quotaTotalSpent' | 'costs',
      Record<string, Record<string, number>>
    >;
    expect(Object.keys(querySpent)).toEqual(['oneMinute', 'tenMinutes', 'hour', 'day']);
    expect(querySpent.oneMinute).toMatchObject({ queryCount: 1, staticCost: 0 });
    expect(querySpent.hour?.liveCost).toBeGreaterThan(0);
    const { liveCost } = querySpent.day!;
    expect(costs).toEqual({ liveCost, staticCost: 0, liveCostRate: liveCost, staticCostRate: 0 });
    expect(quotaTotalSpent.day?.queryCount).toBe(2);
    expect(quotaTotalSpent.day?.staticCost).toBeGreaterThan(0);
    expect(live.metaData.pollAfter).toBeGreaterThanOrEqual(200);
    await server.close();
  });
});

describe('incrementalRun', () => {
  const plan = compileQuery('count()');
  const collector: ResultCollector = {
    from: () => undefined,
    result: () => {
      throw new Error('not asked for');
    },
    dependsOnTime: false,
  };
  let events = 0;
  const event = (time: number): Record<string, string> => ({
    '@timestamp': String(time),
    '@id': String(++events),
  });
  const times = (store: RowStore, kept: IncrementalRun, from: number): number[] | undefined => {
    const rest = kept.rest(plan, store.snapshot(from, 100));
    return rest && rowsIn(rest).map((one) => Number(one['@timestamp']));
  };

  it('needs only newer events as long as the older ones are unchanged', () => {
    const store = new RowStore({ maxEvents: 100, maxBytes: 1e6 });
    store.add([1, 2, 3, 3].map((time) => event(time)));
    const kept = incrementalRun(plan, collector, store.snapshot(0, 100));
    expect(times(store, kept, 0)).toEqual([]);
    store.add([event(3), event(4), event(5)]);
    expect(times(store, kept, 0)).toEqual([3, 4, 5]);
    expect(times(store, kept, 1)).toEqual([3, 4, 5]);
    expect(times(store, kept, 2)).toBeUndefined();
    store.add([event(2)]);
    expect(times(store, kept, 0)).toBeUndefined();
  });

  it('cannot be reused for another plan, or when its result depends on the time', () => {
    const store = new RowStore({ maxEvents: 100, maxBytes: 1e6 });
    const ranges = store.snapshot(0, 100);
    expect(incrementalRun(plan, collector, ranges).rest(plan, ranges)).toEqual([]);
    expect(incrementalRun(compileQuery('*'), collector, ranges).rest(plan, ranges)).toBeUndefined();
    const timed = { ...collector, dependsOnTime: true };
    expect(incrementalRun(plan, timed, ranges).rest(plan, ranges)).toBeUndefined();
  });
});

it('a static query returns partial results unless noResultUntilDone is set', async () => {
  Object.assign(slicing, { ms: 0 });
  const server = await startLocalServer({ listen: false, now: NOW });
  const events = Array.from({ length: 3_000 }, (_, n) => ({ timestamp: NOW - n, attributes: { n } }));
  await ingest(server, events);
  const seen = async (options: Record<string, unknown>): Promise<number[]> => {
    const id = await createJob(server, 'count()', options);
    const counts: number[] = [];
    for (;;) {
      const { done, events: rows } = await poll(server, id);
      if (done) return counts;
      counts.push(...rows.map((row) => Number(row._count)));
    }
  };
  const counts = await seen({});
  expect(counts.length).toBeGreaterThan(0);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.every((count) => count > 0 && count <= 3_000)).toBe(true);
  expect(await seen({ noResultUntilDone: true })).toEqual([]);
  Object.assign(slicing, { ms: 5 });
  await server.close();
});
