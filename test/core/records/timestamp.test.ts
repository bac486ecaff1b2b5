import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timestampOf } from '../../../src/core/records/timestamp.ts';
import { cases } from '../../helpers/laws.ts';

const SECONDS_FROM = Date.UTC(1973, 2, 4);
const SECONDS_UNTIL = Date.UTC(2286, 10, 20);

describe('timestampOf()', () => {
  it('reads seconds, milliseconds, microseconds and nanoseconds, as numbers, BigInts and strings', () => {
    fc.assert(
      fc.property(fc.integer({ min: SECONDS_FROM, max: SECONDS_UNTIL }), (ms) => {
        expect(timestampOf(ms)).toBe(ms);
        expect(timestampOf(ms / 1_000)).toBe(ms);
        expect(timestampOf(Math.floor(ms / 1_000))).toBe(Math.floor(ms / 1_000) * 1_000);
        for (const digits of [`${ms}`, `${ms}500`, `${ms}500000`]) {
          expect(timestampOf(digits)).toBe(ms);
          expect(timestampOf(BigInt(digits))).toBe(ms);
        }
      }),
      cases(),
    );
  });

  it('reads milliseconds from April 1970 to the year 5138', () => {
    const times = [Date.UTC(1970, 3, 27), Date.UTC(1971, 5, 1), Date.UTC(2300, 0, 1), Date.UTC(5138, 0, 1)];
    expect(times.map(timestampOf)).toEqual(times);
  });

  it('gives a number that it reads as the same instant', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e21, noNaN: true }), (value) => {
        const timestamp = timestampOf(value);
        expect(timestampOf(timestamp)).toBe(timestamp);
      }),
      cases(),
    );
  });

  it.each([0, 1, 86_400_000, Date.UTC(1971, 5, 1), Date.UTC(2026, 0, 1)])('reads the date %d', (ms) => {
    expect(timestampOf(new Date(ms))).toBe(ms);
  });

  it.each([
    ['2026-02-03T09:00:00Z', '2026-02-03T09:00:00Z'],
    ['2026-02-03T09:00Z', '2026-02-03T09:00Z'],
    ['2026-02-03T09:00:00.123456789+01:00', '2026-02-03T09:00:00.123456789+01:00'],
    ['2026-02-03T09:00:00.123+0100', '2026-02-03T09:00:00.123+01:00'],
    ['2026-02-03 09:00:00.123456+00:00', '2026-02-03T09:00:00.123456+00:00'],
    ['2026-02-03 09:00:00+0100', '2026-02-03T09:00:00+01:00'],
    ['2026-02-03t09:00:00z', '2026-02-03T09:00:00Z'],
    ['2024-02-29T00:00:00-18:00', '2024-02-29T00:00:00-18:00'],
  ])('writes %s as %s', (text, timestamp) => {
    expect(timestampOf(text)).toBe(timestamp);
  });

  it.each<[string, unknown]>([
    ['a number before March 1973 in seconds', 99_999_999],
    ['a day of the month', 5],
    ['a negative number', -1_700_000_000_000],
    ['a number after nanoseconds', 1e20],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['an invalid date', new Date(Number.NaN)],
    ['a date before 1970', new Date(-1)],
    ['a day that does not exist', '2026-02-30T09:00:00Z'],
    ['a month that does not exist', '2026-13-01T09:00:00Z'],
    ['an hour that does not exist', '2026-01-01T24:00:00Z'],
    ['ISO 8601 without an offset', '2026-02-03T09:00:00'],
    ['a day that does not exist, with a space', '2026-02-30 09:00:00+00:00'],
    ['a space without an offset', '2026-02-03 09:00:00'],
    ['an offset beyond 18 hours', '2026-02-03T09:00:00+18:01'],
    ['ISO 8601 before 1970', '1969-12-31T23:59:59Z'],
    ['another format', 'Tue, 03 Feb 2026 09:00:00 GMT'],
    ['digits and text', '1700000000123 ms'],
    ['an empty string', ''],
    ['null', null],
    ['true', true],
    ['an object', { valueOf: () => 1_700_000_000_123 }],
  ])('does not read %s', (_, value) => {
    expect(timestampOf(value)).toBeUndefined();
  });
});
