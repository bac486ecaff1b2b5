import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/engine/index.ts';
import { cases } from '../helpers/laws.ts';
import { rowsOf, runOf } from './run-query.ts';

const row = fc.record(
  { v: fc.integer({ min: -9, max: 9 }).map(String), k: fc.constantFrom('x', 'y', 'z') },
  { requiredKeys: ['k'] },
);
const sequence = fc.array(row, { maxLength: 30 });
const timed = fc
  .array(fc.tuple(row, fc.nat(20)), { maxLength: 30 })
  .map((pairs) => pairs.map(([fields, time]): Fields => ({ ...fields, '@timestamp': String(time) })));

/** The result of a query on some rows, as one row; by default, the fields of the given row. */
function naively(query: string, rows: readonly Fields[], current: Fields): Fields {
  return { ...current, ...rowsOf(query, rows)[0] };
}

const FUNCTIONS = [
  'sum(v)',
  'avg(v)',
  'count(v)',
  'max(v, as=v)',
  'percentile(v)',
  '[count(), sum(v), min(v)]',
  '[min(v), collect(k)]',
  '[range(v), collect([k, v], separator=";", limit=2)]',
  '[count(v, distinct=true), count(k, distinct=true, as=n)]',
  'percentage(v > 0)',
  '[sum(v), top(k)]',
  '{ v > 0 | count() }',
  '{ w := v * 2 | v > 0 or k=x | [sum(w), collect(k)] | _sum := _sum + 1 }',
  '{ copyEvent(y) | groupBy(#type, function=sum(v)) | [max(_sum), count()] }',
];

describe('Sequence functions', () => {
  test('slidingWindow() equals its function over the last rows', () => {
    fc.assert(
      fc.property(
        sequence,
        fc.constantFrom(...FUNCTIONS),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        (rows, inner, size, isIncluded) => {
          const current = isIncluded ? 'include' : 'exclude';
          const shift = isIncluded ? 1 : 0;
          const expected = rows.map((fields, index) =>
            naively(`stats(${inner})`, rows.slice(Math.max(0, index + shift - size), index + shift), fields),
          );
          expect(
            rowsOf(`head() | slidingWindow(${inner}, events=${size}, current=${current})`, rows),
          ).toEqual(expected);
        },
      ),
      cases(),
    );
  });

  test('sums of a sliding window are as precise as the sum of its numbers', () => {
    const numbers = fc.array(
      fc.oneof(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.constantFrom(1e300, -1e300, 0.1)),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 9 }), (values, size) => {
        const rows = values.map((value) => ({ v: String(value) }));
        const results = rowsOf(`head() | slidingWindow([sum(v), avg(v)], events=${size})`, rows);
        for (const [index, { _sum, _avg }] of results.entries()) {
          const window = values.slice(Math.max(0, index + 1 - size), index + 1);
          const sum = window.reduce((total, value) => total + value, 0);
          const rounding = window.reduce((total, value) => total + Math.abs(value), 0) * 1e-14;
          expect(Math.abs(Number(_sum) - sum)).toBeLessThanOrEqual(rounding);
          expect(Math.abs(Number(_avg) - sum / window.length)).toBeLessThanOrEqual(rounding);
        }
      }),
      cases(),
    );
  });

  test('the standard deviation of a sliding window is as precise as that of its numbers', () => {
    const numbers = fc.array(
      fc.integer({ min: -1e9, max: 1e9 }).map((integer) => integer / 1000),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 20 }), (values, size) => {
        const rows = values.map((value) => ({ v: String(value) }));
        const results = rowsOf(`head() | slidingWindow(stdDev(v), events=${size})`, rows);
        for (const [index, { _stddev }] of results.entries()) {
          const window = values.slice(Math.max(0, index + 1 - size), index + 1);
          const mean = window.reduce((total, value) => total + value, 0) / window.length;
          const variance = window.reduce((total, value) => total + (value - mean) ** 2, 0) / window.length;
          const largest = Math.max(...window.map(Math.abs));
          expect(Math.abs(Number(_stddev) - Math.sqrt(variance))).toBeLessThanOrEqual(largest * 1e-12);
        }
      }),
      cases(),
    );
  });

  test('slidingTimeWindow() equals its function over the rows of the last interval', () => {
    fc.assert(
      fc.property(timed, fc.integer({ min: 1, max: 9 }), fc.boolean(), (rows, span, isIncluded) => {
        const ordered = rows.toSorted((a, b) => Number(a['@timestamp']) - Number(b['@timestamp']));
        const expected = ordered.map((fields, index) => {
          const time = Number(fields['@timestamp']);
          const before = ordered
            .slice(0, isIncluded ? index + 1 : index)
            .filter((other) => Number(other['@timestamp']) > time - span);
          return naively('[sum(v), count(k, as=n)]', before, fields);
        });
        const current = isIncluded ? 'include' : 'exclude';
        const query = `head() | slidingTimeWindow([sum(v), count(k, as=n)], span=${span}ms, current=${current})`;
        expect(rowsOf(query, rows)).toEqual(expected);
      }),
      cases(),
    );
  });

  test('accumulate() equals an unlimited sliding window', () => {
    fc.assert(
      fc.property(sequence, fc.constantFrom(...FUNCTIONS), (rows, inner) => {
        expect(rowsOf(`head() | accumulate(${inner})`, rows)).toEqual(
          rowsOf(`head() | slidingWindow(${inner}, events=1000)`, rows),
        );
      }),
      cases(),
    );
  });

  test('neighbor() looks back as far as it looks ahead', () => {
    fc.assert(
      fc.property(sequence, fc.integer({ min: 1, max: 5 }), (rows, distance) => {
        const back = rowsOf(`head() | neighbor(k, prefix=p, distance=${distance}) | select(p.k)`, rows);
        const ahead = rowsOf(
          `head() | neighbor(k, prefix=p, distance=${distance}, direction=succeeding) | select(p.k)`,
          rows,
        );
        expect(back.slice(distance)).toEqual(
          rows
            .slice(0, -distance || 0)
            .map(({ k }) => ({ 'p.k': k }))
            .slice(0, Math.max(0, rows.length - distance)),
        );
        expect(ahead.slice(0, Math.max(0, rows.length - distance))).toEqual(
          rows.slice(distance).map(({ k }) => ({ 'p.k': k })),
        );
      }),
      cases(),
    );
  });

  test('partitions and sessions contain every row once', () => {
    fc.assert(
      fc.property(
        timed,
        fc.constantFrom('before', 'after'),
        fc.integer({ min: 1, max: 9 }),
        (rows, split, pause) => {
          const partition = `head() | partition(count(), condition={k=x}, split=${split})`;
          const parts = rowsOf(partition, rows);
          expect(parts.reduce((sum, { _count }) => sum + Number(_count), 0)).toBe(rows.length);
          const sorted = rowsOf('head()', rows);
          const sessions = rowsOf(`session(maxpause=${pause}ms)`, sorted);
          expect(sessions.reduce((sum, { _count }) => sum + Number(_count), 0)).toBe(rows.length);
          const pauses = sorted.filter(
            (other, index) =>
              index > 0 && Number(other['@timestamp']) - Number(sorted[index - 1]?.['@timestamp']) > pause,
          );
          expect(sessions).toHaveLength(rows.length === 0 ? 0 : pauses.length + 1);
        },
      ),
      cases(),
    );
  });

  test('reading early or twice does not change the result', () => {
    const queries = [
      'series([k, v], maxpause=3ms)',
      'series(k, startmatch={ k=x }, endmatch={ k=z })',
      'session(maxpause=2ms)',
      'groupBy(k, function=session([sum(v), count()], maxpause=2ms))',
      'tail(4) | accumulate(sum(v)) | neighbor(v)',
      'head(9) | partition(sum(v), condition={ k=y })',
      'sort(v) | slidingWindow(sum(v), events=2)',
      'transpose(limit=3)',
      'fieldstats(limit=3)',
      '[percentage(v > 0), linReg(x=@timestamp, y=v), counterAsRate(v)]',
      'timeChart(k, span=2ms, function=[count(), window(sum(v), buckets=2)])',
      'correlate(a: { k=x }, b: { k=y | v <=> a.v }, maxPerRoot=3)',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...queries), timed, fc.nat(30), (query, rows, early) => {
        const context = { start: 0, end: 20 };
        const run = runOf(query, [], context);
        for (const [index, fields] of rows.entries()) {
          if (index === early) run.rows();
          run.push(Object.freeze(fields));
        }
        expect(run.rows()).toEqual(run.rows());
        expect(run.rows()).toEqual(rowsOf(query, rows, context));
      }),
      cases(),
    );
  });
});

test('a time window with out-of-order rows and a function with several rows cause a warning', () => {
  const rows = [{ '@timestamp': '2' }, { '@timestamp': '1' }];
  const run = runOf('sort(@timestamp) | slidingTimeWindow(groupBy(@timestamp), span=5ms)', rows);
  expect(run.rows()).toHaveLength(2);
  expect(run.warnings).toEqual([
    'slidingTimeWindow() needs rows in ascending order of "@timestamp": sort them first.',
    'slidingTimeWindow() uses only the first row that its function returns. Use a function that returns one row.',
  ]);
});

test.each([
  'accumulate(sum(v))',
  'slidingWindow(sum(v), events=1000)',
  'slidingWindow([percentile(v), avg(v)], events=1000)',
  'slidingWindow(stdDev(v), events=1000)',
  'slidingTimeWindow(max(v), span=10s)',
  'slidingTimeWindow(stdDev(v), span=10s)',
  'neighbor(v, distance=1000)',
  'partition(sum(v), condition=test(v > 10))',
  'session(sum(v), maxpause=1ms)',
])('%s reads at most a few hundred rows before it yields', (query) => {
  let reads = 0;
  const rows = Array.from({ length: 2000 }, (_, index) => ({
    '@timestamp': String(index * 5),
    get v() {
      reads += 1;
      return String(index % 100);
    },
  }));
  const work = runOf(`head(2000) | ${query}`, rows).slicedRows();
  let most = 0;
  reads = 0;
  for (let next = work.next(); next.done !== true; next = work.next()) {
    most = Math.max(most, reads);
    reads = 0;
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(300);
});

test.each([
  '[avg(v), max(v), stdDev(v), range(v)]',
  'percentile(v)',
  'count(v, distinct=true)',
  'percentage(v > 10)',
  'collect(v, limit=10)',
  '{ v > 10 | w := v * 2 | [count(v), sum(w)] | n := _sum / _count }',
])("slidingWindow(%s) reads each row a few times, regardless of the window's length", (inner) => {
  let reads = 0;
  const rows = Array.from({ length: 2000 }, (_, index) => ({
    get v() {
      reads += 1;
      return String(index % 20);
    },
  }));
  expect(runOf(`head(2000) | slidingWindow(${inner}, events=1000)`, rows).rows()).toHaveLength(2000);
  expect(reads).toBeLessThanOrEqual(40 * rows.length);
});
