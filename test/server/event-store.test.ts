import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClock } from '../../src/server/clock.ts';
import { EventBuilder } from '../../src/server/ingest/event-builder.ts';
import { FormatCache, structuredText } from '../../src/server/ingest/structured-text.ts';
import { EventStore } from '../../src/server/store/event-store.ts';
import { type StoredEvent, weightOf } from '../../src/server/store/stored-event.ts';
import { bytesInUse } from '../helpers/heap-size.ts';
import { cases } from '../helpers/laws.ts';
import { RowStore, rowsIn } from './row-store.ts';

const UNBOUNDED = { maxEvents: 1_000_000, maxBytes: 1_000_000_000 };

function event(timestamp: number, name: number | string = timestamp): StoredEvent {
  return { '@timestamp': String(timestamp), name: String(name) };
}

function namesIn(store: RowStore, from = 0, to = Number.MAX_SAFE_INTEGER): string[] {
  return rowsIn(store.snapshot(from, to)).map(({ name }) => name ?? '');
}

describe('Event order in EventStore', () => {
  it('late events are placed by time, after events with the same time', () => {
    const store = new RowStore(UNBOUNDED);
    store.add([event(10, 'a'), event(30, 'b')]);
    store.add([event(20, 'c'), event(10, 'd'), event(30, 'e'), event(5, 'f')]);
    expect(namesIn(store)).toEqual(['f', 'a', 'd', 'c', 'b', 'e']);
  });

  it('equals a stable sort by time for any batches and segment size', () => {
    const batches = fc.array(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 12 }), { maxLength: 12 });
    fc.assert(
      fc.property(batches, fc.integer({ min: 150, max: 400 }), (times, maxEvents) => {
        const store = new RowStore({ ...UNBOUNDED, maxEvents });
        const all: StoredEvent[] = [];
        for (const batch of times) {
          const events = batch.map((time, index) => event(time, all.length + index));
          all.push(...events);
          store.add(events);
        }
        const sorted = all.toSorted((a, b) => Number(a['@timestamp']) - Number(b['@timestamp']));
        expect(namesIn(store)).toEqual(sorted.map(({ name }) => name));
        expect(store.count).toBe(all.length);
      }),
      cases(),
    );
  });

  it('equals a stable sort by time for any sequence of appends, snapshots, evictions and removals', () => {
    const time = fc.integer({ min: 0, max: 60 });
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ add: fc.array(time, { maxLength: 60 }) }) },
      fc.record({ look: fc.tuple(time, time) }),
      fc.record({ oldest: fc.integer({ min: 0, max: 20 }) }),
      fc.record({ removed: fc.array(fc.integer({ min: 0, max: 100 })) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        // A segment of such a small store has ten events, and at most twenty late events wait.
        const store = new RowStore({ ...UNBOUNDED, maxEvents: 80 });
        let all: StoredEvent[] = [];
        let added = 0;
        for (const step of steps) {
          if ('add' in step) {
            const events = step.add.map((at) => ({ ...event(at, added), '@id': String(added++) }));
            store.add(events);
            all.push(...events);
            all.sort((a, b) => Number(a['@timestamp']) - Number(b['@timestamp']));
            all = all.slice(all.length - store.count);
          } else if ('removed' in step) {
            const ids = new Set(step.removed.map(String));
            store.remove(ids);
            all = all.filter((one) => !ids.has(one['@id']!));
          } else if ('oldest' in step) {
            store.retain(step.oldest, UNBOUNDED.maxBytes);
            all = all.filter((one) => Number(one['@timestamp']) >= step.oldest);
          } else {
            const [from, to] = step.look;
            const inside = all.filter(({ '@timestamp': at }) => Number(at) >= from && Number(at) <= to);
            expect(namesIn(store, from, to)).toEqual(inside.map(({ name }) => name));
          }
          expect(store.count).toBe(all.length);
          expect(store.bytes).toBe(all.reduce((sum, one) => sum + weightOf(one), 0));
        }
        expect(namesIn(store)).toEqual(all.map(({ name }) => name));
      }),
      cases(100),
    );
  });

  it('is kept when a segment that grows from late events is split', () => {
    const store = new RowStore({ ...UNBOUNDED, maxEvents: 800 });
    store.add([event(1000)]);
    for (let time = 700; time > 0; time--) store.add([event(time)]);
    expect(namesIn(store)).toHaveLength(701);
    expect(store.snapshot(0, 1000).length).toBeGreaterThan(3);
    expect(namesIn(store, 300, 302)).toEqual(['300', '301', '302']);
  });
});

describe('EventStore snapshots', () => {
  it('include both ends of their interval', () => {
    const store = new RowStore(UNBOUNDED);
    store.add([1, 2, 3, 4, 5].map((time) => event(time)));
    expect(namesIn(store, 2, 4)).toEqual(['2', '3', '4']);
    expect(namesIn(store, 6, 9)).toEqual([]);
  });

  it('stay unchanged while events, including late ones, are added and evicted', () => {
    const store = new RowStore({ ...UNBOUNDED, maxEvents: 40 });
    store.add(Array.from({ length: 40 }, (_, index) => event(index * 2)));
    const snapshot = store.snapshot(0, 1000);
    store.add(Array.from({ length: 40 }, (_, index) => event(index * 2 + 1)));
    store.add(Array.from({ length: 40 }, (_, index) => event(500 + index)));
    const seen = rowsIn(snapshot);
    expect(seen.map(({ name }) => Number(name))).toEqual(Array.from({ length: 40 }, (_, index) => index * 2));
  });
});

describe('EventStore limits', () => {
  it('evict the oldest events above maxEvents and count them', () => {
    const store = new RowStore({ ...UNBOUNDED, maxEvents: 100 });
    for (let time = 0; time < 1000; time++) store.add([event(time)]);
    expect([store.count, store.evicted]).toEqual([100, 900]);
    expect([namesIn(store)[0], namesIn(store).at(-1)]).toEqual(['900', '999']);
  });

  it('keep the newest events that fit, in any order of arrival', () => {
    const batches = fc.array(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 30 }), { maxLength: 12 });
    fc.assert(
      fc.property(batches, fc.integer({ min: 50, max: 2000 }), (times, maxBytes) => {
        const store = new RowStore({ maxEvents: 40, maxBytes });
        const all = times.flat().map((time, index) => event(time, `${index}`.repeat(1 + (index % 5))));
        let place = 0;
        for (const { length } of times) {
          store.add(all.slice(place, place + length));
          place += length;
        }
        const sorted = all.toSorted((a, b) => Number(a['@timestamp']) - Number(b['@timestamp']));
        let first = sorted.length;
        for (let bytes = 0; first > 0 && sorted.length - first < 40; first--) {
          bytes += weightOf(sorted[first - 1]!);
          if (bytes > maxBytes) break;
        }
        expect(namesIn(store)).toEqual(sorted.slice(first).map(({ name }) => name));
        expect(store.count + store.evicted).toBe(all.length);
      }),
      cases(100),
    );
  });

  it('evict the oldest events above maxBytes', () => {
    const store = new RowStore({ ...UNBOUNDED, maxBytes: 10_000 });
    for (let time = 0; time < 100; time++) {
      store.add([{ '@timestamp': String(time), name: 'x'.repeat(500) }]);
    }
    expect(store.bytes).toBeLessThanOrEqual(10_000);
    expect(store.count).toBeGreaterThan(10);
    expect(store.count + store.evicted).toBe(100);
  });

  it('bound memory when only the last event of each request is still stored', () => {
    const store = new EventStore({ ...UNBOUNDED, maxEvents: 500 });
    const known = new FormatCache();
    const builder = new EventBuilder(createClock(1), 1e6);
    const add = (n: number): void => {
      const events = Array.from({ length: 200 }, (_, index) => ({
        timestamp: index === 199 ? 1e12 + n : 1e6 + n,
        attributes: { n, index, text: `${n} ${index} ${'x'.repeat(500)}` },
      }));
      const reading = structuredText(JSON.stringify([{ events }]), {
        repository: 'here',
        builder,
        formats: known,
      });
      let next = reading.next();
      while (next.done !== true) next = reading.next();
      store.append(next.value!);
    };
    for (let n = 0; n < 20; n++) add(n);
    const before = bytesInUse();
    for (let n = 20; n < 220; n++) add(n);
    expect(bytesInUse() - before).toBeLessThan(5_000_000); // of more than 20 MB
    const late = rowsIn(store.snapshot(1e12, Number.MAX_SAFE_INTEGER));
    expect(late.map(({ n, index }) => `${n} ${index}`)).toEqual(
      Array.from({ length: 220 }, (_, n) => `${n} 199`),
    );
    expect(store.bytes).toBe(
      rowsIn(store.snapshot(0, Number.MAX_SAFE_INTEGER)).reduce((sum, row) => sum + weightOf(row), 0),
    );
  });

  it('apply to a single batch larger than maxEvents', () => {
    const store = new RowStore({ ...UNBOUNDED, maxEvents: 10 });
    store.add(Array.from({ length: 1000 }, (_, index) => event(index)));
    expect(namesIn(store).at(-1)).toBe('999');
    expect(store.count).toBeLessThanOrEqual(10);
  });
});

it('a store notifies listeners once per non-empty batch until they unsubscribe', () => {
  const store = new RowStore(UNBOUNDED);
  const heard: number[] = [];
  const leave = store.onAppend((events) => heard.push(events.length));
  store.add([event(1), event(2)]);
  store.add([]);
  store.add([event(3)]);
  leave();
  store.add([event(4)]);
  expect(heard).toEqual([2, 1]);
});

it('completeUntil() returns the time just before the oldest request in flight arrived', () => {
  const store = new EventStore(UNBOUNDED);
  expect(store.completeUntil(100)).toBe(99);
  const endFirst = store.beginArrival(50);
  const endSecond = store.beginArrival(60);
  expect(store.completeUntil(100)).toBe(49);
  endFirst();
  expect(store.completeUntil(100)).toBe(59);
  endSecond();
  expect(store.completeUntil(100)).toBe(99);
});
