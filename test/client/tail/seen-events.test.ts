import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeenEvents } from '../../../src/client/tail/seen-events.ts';
import { cases } from '../../helpers/laws.ts';

describe('SeenEvents', () => {
  it('treats events without an ID as new and does not store them', () => {
    const seen = new SeenEvents(1);
    expect([seen.add('a', 0), seen.add(undefined, 0), seen.add(undefined, 0)]).toEqual([true, true, true]);
    expect(seen.add('a', 0)).toBe(false);
  });

  it('recognizes as many of the last events as its capacity, and forgets the oldest first', () => {
    const ids = fc.array(fc.integer({ min: 0, max: 9 }).map(String), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), ids, (capacity, sequence) => {
        const seen = new SeenEvents(capacity);
        const remembered: string[] = [];
        for (const id of sequence) {
          const isNew = !remembered.includes(id);
          expect(seen.add(id, 0)).toBe(isNew);
          if (isNew) remembered.push(id);
          if (remembered.length > capacity) remembered.shift();
        }
      }),
      cases(),
    );
  });

  it('reports the time span of the events it remembers, once it has forgotten some', () => {
    const seen = new SeenEvents(3);
    for (const [id, now] of [
      ['a', 1_000],
      ['b', 2_000],
      ['c', 4_000],
    ] as const) {
      seen.add(id, now);
      expect(seen.spanMs).toBe(Number.POSITIVE_INFINITY);
    }
    seen.add('d', 7_000);
    expect(seen.spanMs).toBe(5_000);
    seen.add('d', 9_000);
    expect(seen.spanMs).toBe(5_000);
    seen.add('e', 10_000);
    expect(seen.spanMs).toBe(6_000);
  });
});
