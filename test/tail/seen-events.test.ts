import { describe, expect, it } from 'vitest';
import { SeenEvents } from '../../src/tail/seen-events.ts';

describe('SeenEvents', () => {
  it('knows an event again', () => {
    const seen = new SeenEvents(10);
    expect([seen.add('a'), seen.add('b'), seen.add('a')]).toEqual([true, true, false]);
  });

  it('takes events without an id as new', () => {
    const seen = new SeenEvents(10);
    expect([seen.add(undefined), seen.add(undefined)]).toEqual([true, true]);
    expect(seen.size).toBe(0);
  });

  it('never remembers more than its capacity, and forgets the oldest first', () => {
    const seen = new SeenEvents(3);
    for (let i = 0; i < 1_000; i++) {
      seen.add(`id${i}`);
      expect(seen.size).toBeLessThanOrEqual(3);
    }
    expect([seen.add('id999'), seen.add('id997'), seen.add('id996')]).toEqual([false, false, true]);
  });
});
