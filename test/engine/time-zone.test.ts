import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BucketGrid } from '../../src/engine/buckets/bucket-grid.ts';
import type { Span } from '../../src/engine/buckets/bucket-span.ts';
import { findTimeZone } from '../../src/engine/index.ts';
import { readCalendarSpan } from '../../src/engine/time/calendar-span.ts';
import { cases } from '../helpers/laws.ts';
import { rowsOf, runOf } from './run-query.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string): number => Date.parse(text);
const zone = (name: string) => findTimeZone(name)!;

describe('findTimeZone()', () => {
  test.each([
    ['UTC', 0],
    ['Z', 0],
    ['Zulu', 0],
    ['GMT', 0],
    ['+02:00', 2],
    ['-0330', -3.5],
    ['+5', 5],
    ['Europe/Copenhagen', 2],
    ['EST', -5],
    ['PST', -7],
  ])('%s', (name, hours) => {
    expect(zone(name).offsetAt(at('2024-07-01T00:00:00Z'))).toBe(hours * HOUR);
  });

  test.each(['', 'Nowhere', '+99:00', '02:00', 'Europe/'])('does not find %j', (name) => {
    expect(findTimeZone(name)).toBeUndefined();
  });

  test('maps a wall-clock time that is skipped or repeated to one instant', () => {
    const copenhagen = zone('Europe/Copenhagen');
    expect(copenhagen.toEpoch(at('2024-03-31T02:30:00Z'))).toBe(at('2024-03-31T01:30:00Z'));
    expect(copenhagen.toEpoch(at('2024-10-27T02:30:00Z'))).toBe(at('2024-10-27T00:30:00Z'));
  });
});

describe('Buckets', () => {
  const starts = (name: string, span: number | string, from: string, to: string): string[] =>
    [...new BucketGrid(spanOf(span), zone(name)).startsBetween(at(from), at(to))].map((start) =>
      new Date(start).toISOString().slice(0, 16),
    );
  const spanOf = (span: number | string): Span =>
    typeof span === 'number' ? span : (readCalendarSpan(span) ?? 0);

  test('of days start at midnight of the zone, through both clock changes', () => {
    expect(starts('Europe/Copenhagen', DAY, '2024-03-30T12:00:00Z', '2024-04-01T12:00:00Z')).toEqual([
      '2024-03-29T23:00',
      '2024-03-30T23:00',
      '2024-03-31T22:00',
    ]);
    expect(starts('Europe/Copenhagen', DAY, '2024-10-26T12:00:00Z', '2024-10-28T12:00:00Z')).toEqual([
      '2024-10-25T22:00',
      '2024-10-26T22:00',
      '2024-10-27T23:00',
    ]);
  });

  test('of hours stay separate when the clock is set back, and longer spans follow the wall clock', () => {
    expect(starts('Europe/Copenhagen', HOUR, '2024-10-26T23:00:00Z', '2024-10-27T02:00:00Z')).toHaveLength(4);
    expect(starts('Europe/Copenhagen', 6 * HOUR, '2024-03-30T23:00:00Z', '2024-03-31T10:30:00Z')).toEqual([
      '2024-03-30T23:00',
      '2024-03-31T04:00',
      '2024-03-31T10:00',
    ]);
  });

  test('of calendar units start with the units of the zone', () => {
    const from = '2023-12-31T12:00:00Z';
    expect(
      starts('Europe/Copenhagen', 'calendar:1d', '2024-03-30T12:00:00Z', '2024-04-01T12:00:00Z'),
    ).toEqual(['2024-03-29T23:00', '2024-03-30T23:00', '2024-03-31T22:00']);
    expect(starts('UTC', 'calendar: 1week', from, '2024-01-08T00:00:00Z')).toEqual([
      '2023-12-25T00:00',
      '2024-01-01T00:00',
      '2024-01-08T00:00',
    ]);
    expect(
      starts('Europe/Copenhagen', 'calendar:1month', '2024-02-10T00:00:00Z', '2024-04-30T00:00:00Z'),
    ).toEqual(['2024-01-31T23:00', '2024-02-29T23:00', '2024-03-31T22:00']);
    expect(starts('UTC', 'calendar:1q', from, '2024-04-01T00:00:00Z')).toEqual([
      '2023-10-01T00:00',
      '2024-01-01T00:00',
      '2024-04-01T00:00',
    ]);
    expect(starts('UTC', 'calendar:2y', from, '2024-01-01T00:00:00Z')).toEqual([
      '2022-01-01T00:00',
      '2024-01-01T00:00',
    ]);
    expect(starts('UTC', 'calendar:12h', from, '2024-01-01T11:00:00Z')).toEqual([
      '2023-12-31T12:00',
      '2024-01-01T00:00',
    ]);
  });

  test('contain each time exactly once, at or after their start and before the next', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Copenhagen',
      'America/Sao_Paulo',
      'Australia/Lord_Howe',
      '+05:30',
    );
    const spans = fc.constantFrom<Span>(
      ...[HOUR / 4, HOUR, 2 * HOUR, 3 * HOUR, 12 * HOUR, DAY, 7 * DAY],
      ...['1d', '3d', '1w', '2w', '1mon', '5mon', '1q', '1y'].map((text) => spanOf(`calendar:${text}`)),
    );
    const from = at('2017-01-01T00:00:00Z');
    fc.assert(
      fc.property(zones, spans, fc.integer({ min: 0, max: 730 * DAY }), (name, span, later) => {
        const grid = new BucketGrid(span, zone(name));
        const time = from + later;
        const start = grid.startOf(time);
        expect(start).toBeLessThanOrEqual(time);
        expect(grid.nextStart(start)).toBeGreaterThan(time);
        expect(grid.startOf(start)).toBe(start);
        const window = [...grid.startsBetween(time - 3 * grid.spanMs, time)];
        expect(window).toContain(start);
      }),
      cases(200),
    );
  });
});

describe('timeChart', () => {
  const bucketsOf = (query: string, start: number, end: number, timeZone = 'UTC'): string[] =>
    runOf(query, [], { start, end, timeZone })
      .rows()
      .map(({ _bucket }) => _bucket ?? '');

  test("splits days in the query's time zone, or in the one it sets", () => {
    const start = at('2024-07-01T10:00:00Z');
    expect(bucketsOf('timeChart(span=1d)', start, start + HOUR, 'Europe/Copenhagen')).toEqual([
      String(at('2024-06-30T22:00:00Z')),
    ]);
    expect(
      bucketsOf('timeChart(span=1d, timezone="America/New_York")', start, start + HOUR, 'Europe/Copenhagen'),
    ).toEqual([String(at('2024-07-01T04:00:00Z'))]);
  });

  test('starts with the bucket that contains the start of the interval', () => {
    const start = at('2024-07-01T09:17:30Z');
    const buckets = bucketsOf('timeChart(span=1min)', start, start + HOUR);
    expect(buckets).toHaveLength(61);
    expect(buckets[0]).toBe(String(at('2024-07-01T09:17:00Z')));
  });

  test.each([
    [24 * HOUR, 97, '15 minutes'],
    [HOUR, 61, '1 minute'],
    [10 * 60_000, 61, '10 seconds'],
    [60_000, 61, '1 second'],
    [365 * DAY, 54, '7 days'],
    [4000 * DAY, 97, '42 days'],
  ])('chooses a span for an interval of %d ms', (interval, buckets, span) => {
    const run = runOf('timeChart()', [], { start: 0, end: interval });
    expect(run.extraData.bucket_span_humanized).toBe(span);
    expect(run.rows().length).toBeLessThanOrEqual(101);
    if (interval < 30 * DAY) expect(run.rows()).toHaveLength(buckets);
  });

  test('reports its buckets before any event', () => {
    const run = runOf('timeChart(method, span=3s)', [], { start: 1000, end: 10_000 });
    expect(run.extraData).toEqual({
      timechart: 'true',
      'ui:suggested-widget': 'time-chart',
      series: 'method',
      groupby_fields: 'method',
      bucket_first_bucket: '0',
      bucket_last_bucket: '9000',
      bucket_span_millis: '3000',
      bucket_span_humanized: '3 seconds',
    });
  });

  test('uses a longer span, with a warning, if there would be too many buckets', () => {
    const run = runOf('timeChart(span=1s)', [], { start: 0, end: DAY });
    expect(run.rows().length).toBeLessThanOrEqual(1501);
    expect(run.warnings).toEqual([
      'A span of 1 second gives more than 1500 buckets; the result uses 58 seconds.',
    ]);
  });

  test('uses no shorter span than minSpan, and as many buckets as requested', () => {
    expect(runOf('timeChart(minSpan=1h)', [], { start: 0, end: HOUR }).extraData.bucket_span_millis).toBe(
      `${HOUR}`,
    );
    expect(bucketsOf('timeChart(buckets=24)', 0, DAY)).toHaveLength(25);
  });

  test.each(['UTC', 'Europe/Copenhagen', 'America/New_York'])(
    'has buckets for the maximum interval in %s',
    (timeZone) => {
      const rows = rowsOf('@timestamp := 1e300 | timeChart()', [{ '@timestamp': '0' }], {
        start: -8.64e15,
        end: 8.64e15,
        timeZone,
      });
      expect(rows.length).toBeGreaterThan(90);
      expect(rows.every(({ _bucket, _count }) => Number.isInteger(Number(_bucket)) && _count === '0')).toBe(
        true,
      );
      expect(rowsOf('timeChart(span=999999999999y)', [{ '@timestamp': '0' }], { timeZone })).toMatchObject([
        { _count: '1' },
      ]);
    },
  );

  test('omits events without a time, and includes those outside of the interval', () => {
    const run = runOf('timeChart(span=1s)', [{ a: '1' }, { '@timestamp': 'x' }, { '@timestamp': '9500' }], {
      start: 1000,
      end: 1999,
    });
    expect(run.rows()).toEqual([
      { _bucket: '1000', _count: '0' },
      { _bucket: '9000', _count: '1' },
    ]);
  });
});
