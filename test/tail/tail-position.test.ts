import { describe, expect, it } from 'vitest';
import { TailPosition } from '../../src/tail/tail-position.ts';

const MINUTE = 60_000;
const T0 = 1_770_000_000_000;

const positionOf = (startMs: number): TailPosition =>
  new TailPosition({ startMs, overlapMs: 30_000, now: T0 });

describe('TailPosition', () => {
  it('begins as far back as asked for', () => {
    expect(positionOf(MINUTE).connect(T0 + 3).lookBackMs).toBe(MINUTE);
  });

  it('asks for everything again as long as the past may not have come', () => {
    const position = positionOf(MINUTE);
    position.connect(T0);
    position.advance(T0 + 50, 50, T0 - 1_000);
    position.break(T0 + 100, 50);
    expect(position.connect(T0 + 5_000).lookBackMs).toBe(MINUTE + 5_000);
  });

  it('asks for the time since the last event, and some more, once it has waited for one', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 2_000, 1_900, T0 + 2_000);
    position.break(T0 + 2_100, 100);
    expect(position.connect(T0 + 12_000).lookBackMs).toBe(10_000 + 30_000);
  });

  it('counts a quiet connection as complete until it broke', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.break(T0 + 50_000, 50_000);
    expect(position.connect(T0 + 51_000).lookBackMs).toBe(1_000 + 30_000);
  });

  it('counts from the event that was read, not from when it was, for a reader that is slow', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 2_000, 1_900, T0 + 2_000);
    position.advance(T0 + 5 * MINUTE, 0, T0 + 3_000);
    position.break(T0 + 5 * MINUTE, 0);
    expect(position.connect(T0 + 5 * MINUTE).lookBackMs).toBe(5 * MINUTE - 3_000 + 30_000);
  });

  it('never looks into the time before its beginning for an event from then', () => {
    const position = positionOf(MINUTE);
    position.skipHistory();
    position.connect(T0);
    position.advance(T0 + 10, 10, 5);
    expect(position.connect(T0 + 1_000).lookBackMs).toBe(MINUTE + 1_000 + 30_000);
  });

  it('stands a clock that was put back', () => {
    const position = positionOf(MINUTE);
    position.connect(T0);
    expect(position.connect(T0 - 5_000).lookBackMs).toBe(MINUTE);
  });

  it('takes a silence of some seconds for a search that takes long, not for the present', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 4_000, 4_000, T0 - 30 * MINUTE);
    position.break(T0 + 9_000, 5_000);
    expect(position.connect(T0 + 10_000).lookBackMs).toBe(60 * MINUTE + 10_000);
  });

  it('takes an event that is younger than the connection for the present', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 20, 1, T0 + 10);
    expect(position.connect(T0 + 1_010).lookBackMs).toBe(1_000 + 30_000);
  });

  it('does not take an event from the future for the present', () => {
    const position = positionOf(MINUTE);
    position.connect(T0);
    position.advance(T0 + 20, 1, T0 + MINUTE);
    expect(position.connect(T0 + 1_000).lookBackMs).toBe(MINUTE + 1_000);
  });

  it('asks for no more of what can not be told any more, and says what it leaves out', () => {
    const position = positionOf(MINUTE);
    position.skipHistory();
    position.connect(T0);
    position.advance(T0 + 20_000, 1, T0 + 20_000);
    position.break(T0 + 20_000, 0);
    expect(position.connect(T0 + 21_000, 8_000)).toEqual({
      lookBackMs: 1_000 + 8_000,
      leftOut: { from: T0 - 10_000, to: T0 + 12_000 },
    });
  });

  it('goes on in the middle of the past if that came in order and was too much to be remembered', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 10, 1, T0 - 60 * MINUTE);
    position.advance(T0 + 2_000, 1, T0 - 20 * MINUTE);
    expect(position.connect(T0 + 2_000).lookBackMs).toBe(60 * MINUTE + 2_000);
    expect(position.connect(T0 + 2_000, 1_000).lookBackMs).toBe(20 * MINUTE + 2_000 + 1_000);
  });

  it('begins anew in the middle of a past that comes in disorder', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 10, 1, T0 - 10 * MINUTE);
    position.advance(T0 + 2_000, 1, T0 - 20 * MINUTE);
    expect(position.connect(T0 + 2_000, 1_000)).toEqual({ lookBackMs: 60 * MINUTE + 2_000 });
  });
});
