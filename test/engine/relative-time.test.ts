import { describe, expect, test } from 'vitest';
import { parseDuration, parseTimePoint } from '../../src/engine/index.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
/** A Friday. */
const NOW = Date.parse('2024-05-24T10:17:42.123Z');

const point = (value: string | number, timeZone = 'UTC', now = NOW): string =>
  new Date(parseTimePoint({ value, now, timeZone })).toISOString();

describe('parseDuration()', () => {
  test.each([
    ['1ms', 1],
    ['20 millis', 20],
    ['10s', 10 * SECOND],
    ['1 sec', SECOND],
    ['5m', 300 * SECOND],
    ['2min', 120 * SECOND],
    ['2 h', 2 * HOUR],
    ['24hours', DAY],
    ['3hrs', 3 * HOUR],
    ['1d', DAY],
    ['2weeks', 14 * DAY],
    ['1mon', 30 * DAY],
    ['1q', 90 * DAY],
    ['2qtrs', 180 * DAY],
    ['1year', 365 * DAY],
    ['0s', 0],
  ])('%s is %d ms', (text, durationMs) => {
    expect(parseDuration(text)).toBe(durationMs);
  });

  test.each(['', '5', 'h', '5 parsecs', '-5m', '1.5h', '5M', '5mins', 'now', '1d12h', '5m@d'])(
    'rejects %j',
    (text) => {
      expect(() => parseDuration(text)).toThrow(`${JSON.stringify(text)} is not a duration`);
    },
  );
});

describe('parseTimePoint()', () => {
  test.each([
    [NOW - 5, '2024-05-24T10:17:42.118Z'],
    [String(NOW), '2024-05-24T10:17:42.123Z'],
    ['now', '2024-05-24T10:17:42.123Z'],
    ['24hours', '2024-05-23T10:17:42.123Z'],
    ['2 h', '2024-05-24T08:17:42.123Z'],
    ['2months', '2024-03-25T10:17:42.123Z'],
    ['now@d', '2024-05-24T00:00:00.000Z'],
    ['now@w', '2024-05-20T00:00:00.000Z'],
    ['now@week', '2024-05-20T00:00:00.000Z'],
    ['now@quarter', '2024-04-01T00:00:00.000Z'],
    ['now@year', '2024-01-01T00:00:00.000Z'],
    ['now@month-1ms', '2024-04-30T23:59:59.999Z'],
    ['1d@d+12h', '2024-05-23T12:00:00.000Z'],
    ['6h@h+30min', '2024-05-24T04:30:00.000Z'],
    ['now@m', '2024-05-24T10:17:00.000Z'],
    ['now@d+1d-1s', '2024-05-24T23:59:59.000Z'],
    ['calendar: 1d@d', '2024-05-23T00:00:00.000Z'],
    ['calendar: 2months', '2024-03-24T10:17:42.123Z'],
    ['calendar:1 q', '2024-02-24T10:17:42.123Z'],
    ['calendar:1y@y', '2023-01-01T00:00:00.000Z'],
    ['calendar: now@month+1month', '2024-06-01T00:00:00.000Z'],
  ])('%s', (value, expected) => {
    expect(point(value)).toBe(expected);
  });

  test("rounds in the query's time zone", () => {
    expect(point('now@d', 'America/New_York')).toBe('2024-05-24T04:00:00.000Z');
    expect(point('now@d', '+05:30')).toBe('2024-05-23T18:30:00.000Z');
    expect(point('now@h', 'Asia/Kolkata')).toBe('2024-05-24T09:30:00.000Z');
  });

  test('keeps the wall-clock time when it adds calendar days across a clock change', () => {
    const afterChange = Date.parse('2024-03-31T12:00:00Z');
    expect(point('calendar: 1d', 'Europe/Copenhagen', afterChange)).toBe('2024-03-30T13:00:00.000Z');
    expect(point('1d', 'Europe/Copenhagen', afterChange)).toBe('2024-03-30T12:00:00.000Z');
    expect(point('calendar: 1d@d', 'Europe/Copenhagen', afterChange)).toBe('2024-03-29T23:00:00.000Z');
  });

  test('adds calendar months up to the last day of the month', () => {
    expect(point('calendar: 1month', 'UTC', Date.parse('2024-03-31T00:00:00Z'))).toBe(
      '2024-02-29T00:00:00.000Z',
    );
  });

  test.each([
    '',
    'yesterday',
    '2024-05-24',
    'now-1d',
    '1d@',
    '1d@x',
    'now@d+',
    'calendar:',
    '@d',
    '1d@d 5',
    Number.NaN,
    1e300,
    '9'.repeat(150),
    '999999999999y',
    'calendar: 999999999999y',
    'now@d-999999999999y',
    `1d${' '.repeat(100_000)}x`,
  ])('rejects %.60j', (value) => {
    for (const timeZone of ['UTC', 'Europe/Copenhagen']) {
      expect(() => parseTimePoint({ value, now: NOW, timeZone })).toThrow('is not a time');
    }
  });

  test('rejects an unknown time zone', () => {
    expect(() => parseTimePoint({ value: 'now@d', now: NOW, timeZone: 'Mars/Olympus' })).toThrow(
      '"Mars/Olympus" is not a time zone',
    );
  });
});
