import { describe, expect, it } from 'vitest';
import { TailPosition } from '../../../src/client/tail/tail-position.ts';

const MINUTE = 60_000;
const T0 = 1_770_000_000_000;

const positionOf = (startMs: number): TailPosition => new TailPosition({ startMs, overlapMs: 30_000 }, T0);

describe('TailPosition', () => {
  it('starts as far back as requested', () => {
    expect(positionOf(MINUTE).connect(T0 + 3).lookBackMs).toBe(MINUTE);
  });

  it('requests the whole interval again while past events may be missing', () => {
    const position = positionOf(MINUTE);
    position.connect(T0);
    position.advance(T0 + 50, T0 - 1_000, true);
    position.break(50);
    expect(position.connect(T0 + 5_000).lookBackMs).toBe(MINUTE + 5_000);
  });

  it('requests the time since the last event plus an overlap, once it has waited for an event', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 2_000, T0 + 2_000, true);
    position.break(100);
    expect(position.connect(T0 + 12_000).lookBackMs).toBe(10_000 + 30_000);
  });

  it('treats a quiet connection as complete until the last sign of life', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.markAlive(T0, T0);
    position.markAlive(T0 + 30_000, T0);
    position.markAlive(T0 + 40_000, T0);
    position.break(50_000);
    // The last line may have been sent soon after the line before it, and read later.
    expect(position.connect(T0 + 51_000).lookBackMs).toBe(21_000 + 30_000);
  });

  it('does not treat a line that is read after the machine slept as a sign of life of that time', () => {
    const position = positionOf(60 * MINUTE);
    position.skipHistory();
    position.connect(T0);
    position.markAlive(T0, T0);
    position.markAlive(T0 + 20_000, T0);
    position.markAlive(T0 + 8 * 60 * MINUTE, T0);
    position.break(8 * 60 * MINUTE);
    expect(position.connect(T0 + 8 * 60 * MINUTE).lookBackMs).toBe(8 * 60 * MINUTE - 20_000 + 30_000);
  });

  it.each([
    ['the second quiet connection without a sign of life', 10_000, false, true],
    ['not a connection that broke soon', 9_999, false, false],
    ['not a connection with new events', 10_000, true, false],
  ])('treats as complete until it was requested: %s', (_, waitedMs, isNew, isComplete) => {
    const position = positionOf(60 * MINUTE);
    for (const at of [T0, T0 + 2 * MINUTE]) {
      position.connect(at);
      position.markAlive(at + 5, at);
      position.advance(at + 10, T0 - 30 * MINUTE, isNew);
      position.break(waitedMs);
    }
    const { lookBackMs } = position.connect(T0 + 3 * MINUTE);
    expect(lookBackMs).toBe(isComplete ? MINUTE + 30_000 : 63 * MINUTE);
  });

  it('does not treat an attempt without a response as a quiet connection', () => {
    const position = positionOf(60 * MINUTE);
    for (const at of [T0, T0 + MINUTE, T0 + 2 * MINUTE]) {
      expect(position.connect(at).lookBackMs).toBe(60 * MINUTE + at - T0);
      position.break(30_000);
    }
  });

  it('measures from the event that was read, not from when a slow consumer read it', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 2_000, T0 + 2_000, true);
    position.advance(T0 + 5 * MINUTE, T0 + 3_000, true);
    position.break(0);
    expect(position.connect(T0 + 5 * MINUTE).lookBackMs).toBe(5 * MINUTE - 3_000 + 30_000);
  });

  it('never requests events before its start', () => {
    const position = positionOf(MINUTE);
    position.skipHistory();
    position.connect(T0);
    position.advance(T0 + 10, 5, true);
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
    position.markAlive(T0, T0);
    position.markAlive(T0 + 4_000, T0);
    position.advance(T0 + 4_000, T0 - 30 * MINUTE, true);
    position.markAlive(T0 + 9_000, T0 + 4_000);
    position.break(5_000);
    expect(position.connect(T0 + 10_000).lookBackMs).toBe(60 * MINUTE + 10_000);
  });

  it('treats an event that is newer than the connection as the present', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 20, T0 + 10, true);
    expect(position.connect(T0 + 1_010).lookBackMs).toBe(1_000 + 30_000);
  });

  it('does not treat an event from the future as the present', () => {
    const position = positionOf(MINUTE);
    position.connect(T0);
    position.advance(T0 + 20, T0 + MINUTE, true);
    expect(position.connect(T0 + 1_000).lookBackMs).toBe(MINUTE + 1_000);
  });

  it('treats an event whose time is not a number as complete up to its arrival', () => {
    const position = positionOf(60 * MINUTE);
    position.skipHistory();
    position.connect(T0);
    position.advance(T0 + 2_000, 'yesterday', true);
    expect(position.connect(T0 + 5_000).lookBackMs).toBe(3_000 + 30_000);
  });

  it('does not request events that it can no longer recognize, and reports what it skips', () => {
    const position = positionOf(MINUTE);
    position.skipHistory();
    position.connect(T0);
    position.advance(T0 + 20_000, T0 + 20_000, true);
    position.break(0);
    expect(position.connect(T0 + 21_000, 8_000)).toEqual({
      lookBackMs: 1_000 + 8_000,
      leftOut: { from: T0 - 10_000, to: T0 + 12_000 },
    });
  });

  it('continues in the middle of the past events if they arrive in order and are too many to remember', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 10, T0 - 60 * MINUTE, true);
    position.advance(T0 + 2_000, T0 - 20 * MINUTE, true);
    expect(position.connect(T0 + 2_000).lookBackMs).toBe(60 * MINUTE + 2_000);
    expect(position.connect(T0 + 2_000, 1_000).lookBackMs).toBe(20 * MINUTE + 2_000 + 1_000);
  });

  it('starts over from the beginning if past events arrive out of order', () => {
    const position = positionOf(60 * MINUTE);
    position.connect(T0);
    position.advance(T0 + 10, T0 - 10 * MINUTE, true);
    position.advance(T0 + 2_000, T0 - 20 * MINUTE, true);
    expect(position.connect(T0 + 2_000, 1_000)).toEqual({ lookBackMs: 60 * MINUTE + 2_000 });
  });
});
