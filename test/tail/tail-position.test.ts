import { describe, expect, it } from 'vitest';
import { TailPosition } from '../../src/tail/tail-position.ts';

const MINUTE = 60_000;
const T0 = 1_770_000_000_000;

describe('TailPosition', () => {
  it('begins as far back as asked for', () => {
    expect(new TailPosition(MINUTE, T0).connect(T0 + 3)).toBe(MINUTE);
  });

  it('asks for everything again as long as the past may not have come', () => {
    const position = new TailPosition(MINUTE, T0);
    position.connect(T0);
    position.advance(T0 + 50, 50, T0 - 1_000);
    position.break(T0 + 100, 50);
    expect(position.connect(T0 + 5_000)).toBe(MINUTE + 5_000);
  });

  it('asks for the time since the last event, and some more, once it has waited for one', () => {
    const position = new TailPosition(60 * MINUTE, T0);
    position.connect(T0);
    position.advance(T0 + 2_000, 1_900, T0 + 2_000);
    position.break(T0 + 2_100, 100);
    expect(position.connect(T0 + 12_000)).toBe(10_000 + 30_000);
  });

  it('counts a quiet connection as complete until it broke', () => {
    const position = new TailPosition(60 * MINUTE, T0);
    position.connect(T0);
    position.break(T0 + 50_000, 50_000);
    expect(position.connect(T0 + 51_000)).toBe(1_000 + 30_000);
  });

  it('counts from the event that was read, not from when it was, for a reader that is slow', () => {
    const position = new TailPosition(60 * MINUTE, T0);
    position.connect(T0);
    position.advance(T0 + 2_000, 1_900, T0 + 2_000);
    position.advance(T0 + 5 * MINUTE, 0, T0 + 3_000);
    position.break(T0 + 5 * MINUTE, 0);
    expect(position.connect(T0 + 5 * MINUTE)).toBe(5 * MINUTE - 3_000 + 30_000);
  });

  it('never looks into the time before its beginning for an event from then', () => {
    const position = new TailPosition(MINUTE, T0);
    position.skipHistory();
    position.connect(T0);
    position.advance(T0 + 10, 10, 5);
    expect(position.connect(T0 + 1_000)).toBe(MINUTE + 1_000 + 30_000);
  });

  it('stands a clock that was put back', () => {
    const position = new TailPosition(MINUTE, T0);
    position.connect(T0);
    expect(position.connect(T0 - 5_000)).toBe(MINUTE);
  });
});
