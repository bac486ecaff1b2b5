import { describe, expect, it } from 'vitest';
import { TailPosition } from '../../src/tail/tail-position.ts';

const MINUTE = 60_000;
const T0 = 1_770_000_000_000;

const positionOf = (startMs: number): TailPosition =>
  new TailPosition({ startMs, overlapMs: 30_000, now: T0 });

describe('TailPosition', () => {
  it('starts as far back as requested', () => {
    expect(positionOf(MINUTE).connect(T0 + 3).lookBackMs).toBe(MINUTE);
  });

  it('requests the whole interval again while past events may be missing', () => {
    const position = positionOf(MINUTE);
    position.connect(T0);
    position.advance(T0 + 50, 50, T0 - 1_000);
    position.break(T0 + 100, 50);
    expect(position.connect(T0 + 5_000).lookBackMs).toBe(MINUTE + 5_000);
  });

  it('requests the time since the last event plus an overlap, once it has waited for an event', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 2_000, 1_900, T0 + 2_000);
    position.break(T0 + 2_100, 100);
    expect(position.connect(T0 + 12_000).lookBackMs).toBe(10_000 + 30_000);
  });

  it('treats a quiet connection as complete until it broke', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.break(T0 + 50_000, 50_000);
    expect(position.connect(T0 + 51_000).lookBackMs).toBe(1_000 + 30_000);
  });

  it('measures from the event that was read, not from when a slow consumer read it', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 2_000, 1_900, T0 + 2_000);
    position.advance(T0 + 5 * MINUTE, 0, T0 + 3_000);
    position.break(T0 + 5 * MINUTE, 0);
    expect(position.connect(T0 + 5 * MINUTE).lookBackMs).toBe(5 * MINUTE - 3_000 + 30_000);
  });

  it('never requests events before its start', () => {
    const position = positionOf(MINUTE);
    position.skipHistory();
    position.connect(T0);
    position.advance(T0 + 10, 10, 5);
    expect(position.connect(T0 + 1_000).lookBackMs).toBe(MINUTE + 1_000 + 30_000);
  });

  it('tolerates a clock that was set back', () => {
    const position = positionOf(MINUTE);
    position.connect(T0);
    expect(position.connect(T0 - 5_000).lookBackMs).toBe(MINUTE);
  });

  it('treats a silence of some seconds as a slow search, not as the present', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 4_000, 4_000, T0 - 30 * MINUTE);
    position.break(T0 + 9_000, 5_000);
    expect(position.connect(T0 + 10_000).lookBackMs).toBe(60 * MINUTE + 10_000);
  });

  it('treats an event that is newer than the connection as the present', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 20, 1, T0 + 10);
    expect(position.connect(T0 + 1_010).lookBackMs).toBe(1_000 + 30_000);
  });

  it('does not treat an event from the future as the present', () => {
    const position = positionOf(MINUTE);
    position.connect(T0);
    position.advance(T0 + 20, 1, T0 + MINUTE);
    expect(position.connect(T0 + 1_000).lookBackMs).toBe(MINUTE + 1_000);
  });

  it('treats an event whose time is not a number as complete up to its arrival', () => {
    const position = positionOf(60 * MINUTE);
    position.skipHistory();
    position.connect(T0);
    position.advance(T0 + 2_000, 1, 'yesterday');
    expect(position.connect(T0 + 5_000).lookBackMs).toBe(3_000 + 30_000);
  });

  it('does not request events that it can no longer recognize, and reports what it skips', () => {
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

  it('continues in the middle of the past events if they arrive in order and are too many to remember', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 10, 1, T0 - 60 * MINUTE);
    position.advance(T0 + 2_000, 1, T0 - 20 * MINUTE);
    expect(position.connect(T0 + 2_000).lookBackMs).toBe(60 * MINUTE + 2_000);
    expect(position.connect(T0 + 2_000, 1_000).lookBackMs).toBe(20 * MINUTE + 2_000 + 1_000);
  });

  it('starts over from the beginning if past events arrive out of order', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 10, 1, T0 - 10 * MINUTE);
    position.advance(T0 + 2_000, 1, T0 - 20 * MINUTE);
    expect(position.connect(T0 + 2_000, 1_000)).toEqual({ lookBackMs: 60 * MINUTE + 2_000 });
  });
});
