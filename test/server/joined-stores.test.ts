import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JoinedStores } from '../../src/server/views/joined-stores.ts';
import { cases } from '../helpers/laws.ts';
import { RowStore, rowsIn } from './row-store.ts';

/** The times of the events in a snapshot, and the store of each. */
function shown(joined: JoinedStores, from: number, to: number): string[] {
  return rowsIn(joined.snapshot(from, to)).map((event) => `${event['@timestamp']} ${event.store}`);
}

it('joined stores return all events by time for any batches and segment boundaries', () => {
  const time = fc.integer({ min: 0, max: 40 });
  const batch = fc.record({ store: fc.nat(2), times: fc.array(time, { maxLength: 20 }) });
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 12 }), time, time, (batches, one, other) => {
      // Segments of four events; none is evicted.
      const stores = [0, 1, 2].map(() => new RowStore({ maxEvents: 32, maxBytes: 1e9 }));
      const joined = new JoinedStores(() => stores);
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      for (const { store, times } of batches) {
        stores[store]!.add(times.map((at) => ({ '@timestamp': String(at), store: String(store) })));
        const expected = stores
          .flatMap((store) => rowsIn(store.snapshot(from, to)))
          .toSorted((left, right) => Number(left['@timestamp']) - Number(right['@timestamp']))
          .map((event) => `${event['@timestamp']} ${event.store}`);
        // Reads after each batch: the cache of the previous result must not be used for another one.
        expect(shown(joined, from, to)).toEqual(expected);
      }
      expect(joined.count).toBe(stores.reduce((sum, { count }) => sum + count, 0));
    }),
    cases(),
  );
});
