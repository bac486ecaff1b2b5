import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeenEvents } from '../../src/tail/seen-events.ts';

describe('SeenEvents', () => {
  it('takes events without an id as new, and remembers nothing of them', () => {
    const seen = new SeenEvents(1);
    expect([seen.add('a'), seen.add(undefined), seen.add(undefined)]).toEqual([true, true, true]);
    expect(seen.add('a')).toBe(false);
  });

  it('knows the last events again, as many as its capacity, and forgets the oldest first', () => {
    const ids = fc.array(fc.integer({ min: 0, max: 9 }).map(String), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), ids, (capacity, sequence) => {
        const seen = new SeenEvents(capacity);
        const remembered: string[] = [];
        for (const id of sequence) {
          const isNew = !remembered.includes(id);
          expect(seen.add(id)).toBe(isNew);
          if (isNew) remembered.push(id);
          if (remembered.length > capacity) remembered.shift();
        }
      }),
    );
  });
});
