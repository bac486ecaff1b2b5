import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { DistinctValues } from '../../src/engine/aggregates/distinct-values.ts';
import { Quantiles } from '../../src/engine/aggregates/quantiles.ts';
import { compareKeys, sortKey } from '../../src/engine/compare.ts';
import { compileQuery, type Fields } from '../../src/engine/index.ts';
import { cases } from '../helpers/laws.ts';
import { rowsOf, runOf } from './run-query.ts';

const event = fc.record(
  {
    a: fc.constantFrom('x', 'y', 'z', '', '1', '01'),
    b: fc.constantFrom('x', 'yz', 'z'),
    v: fc.oneof(fc.integer({ min: -50, max: 50 }).map(String), fc.constantFrom('text', '', '1e2')),
  },
  { requiredKeys: [] },
);
const input = fc.array(event, { maxLength: 40 });

const AGGREGATES = [
  'groupBy([a, b])',
  'groupBy(a, function=[sum(v), collect(b), max(v)]) | sort(_sum)',
  'top(a, rest=others)',
  'sort([v, a], order=[asc, desc])',
  'table([a, v], sortby=v)',
  'tail(3)',
  'head(3)',
  'percentile(v)',
  'stdDev(v)',
  'case { a=x | k:="1"; b=z | k:="2" } | groupBy(k, function={ v > 0 | count() | d := _count * 2 })',
];

describe('Laws of aggregates', () => {
  test('the counts of groups add up to the number of events', () => {
    fc.assert(
      fc.property(input, (events) => {
        const total = rowsOf('groupBy([a, b])', events).reduce((sum, { _count }) => sum + Number(_count), 0);
        expect(total).toBe(events.length);
        expect(rowsOf('groupBy([a, b]) | sum(_count)', events)).toEqual([{ _sum: String(events.length) }]);
      }),
      cases(),
    );
  });

  test('reading rows twice returns the same rows, and reading early does not change them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...AGGREGATES), input, fc.nat(40), (query, events, early) => {
        const run = runOf(query);
        for (const [index, pushed] of events.entries()) {
          if (index === early) run.rows();
          run.push(pushed);
        }
        expect(run.rows()).toEqual(run.rows());
        expect(run.rows()).toEqual(rowsOf(query, events));
      }),
      cases(),
    );
  });

  test('groups are in order of their keys: numbers, then strings by their characters, then missing keys', () => {
    const end = fc.string({ unit: fc.constantFrom('a', 'b', '\0', 'ÿ', 'Ā', '日', '7', '.') });
    const key = fc.oneof(
      fc.tuple(fc.constantFrom('', '/p', '/path/'), end).map((parts) => parts.join('')),
      fc.constantFrom('1', '1.0', '-2', '0', '-0', '1e3', '10'),
      fc.constant(undefined),
    );
    const keyed = fc.record({ k: key, l: key }).map(({ k, l }) => {
      const row: Fields = {};
      if (k !== undefined) row.k = k;
      if (l !== undefined) row.l = l;
      return row;
    });
    const inOrder = (one: string | undefined, other: string | undefined): number => {
      const [a, b] = [sortKey(one), sortKey(other)];
      return compareKeys(a, b) || Number(one! > other!) - Number(one! < other!);
    };
    fc.assert(
      fc.property(fc.array(keyed, { maxLength: 40 }), fc.integer({ min: 1, max: 10 }), (events, limit) => {
        const groups = rowsOf('groupBy([k, l])', events);
        const sorted = [...groups].sort((a, b) => inOrder(a.k, b.k) || inOrder(a.l, b.l));
        expect(groups).toEqual(sorted);
        const counts = rowsOf('groupBy(k) | k=*', events);
        const best = [...counts].sort((a, b) => Number(b._count) - Number(a._count));
        expect(rowsOf(`top(k, limit=${limit})`, events)).toEqual(best.slice(0, limit));
      }),
      cases(),
    );
  });

  test('tail(n) returns the last n events in reverse order, head(n) the first n', () => {
    fc.assert(
      fc.property(input, fc.integer({ min: 1, max: 50 }), (events, n) => {
        expect(rowsOf(`tail(${n})`, events)).toEqual(events.slice(-n).reverse());
        expect(rowsOf(`head(${n})`, events)).toEqual(events.slice(0, n));
      }),
      cases(),
    );
  });

  test('sort() with a limit returns the first rows of the unlimited sort()', () => {
    fc.assert(
      fc.property(
        input,
        fc.integer({ min: 1, max: 10 }),
        fc.constantFrom('asc', 'desc'),
        (events, n, order) => {
          const whole = rowsOf(`sort(v, order=${order}, limit=max)`, events);
          expect(rowsOf(`sort(v, order=${order}, limit=${n})`, events)).toEqual(whole.slice(0, n));
          expect(whole).toHaveLength(events.length);
        },
      ),
      cases(),
    );
  });

  test('avg() times count() equals sum()', () => {
    fc.assert(
      fc.property(input, (events) => {
        const [{ _avg, _sum, n } = {}] = rowsOf('test(v * 1 == v) | [avg(v), sum(v), count(as=n)]', events);
        if (_avg !== undefined) expect(Number(_avg) * Number(n)).toBeCloseTo(Number(_sum), 6);
      }),
      cases(),
    );
  });
});

describe('Quantiles', () => {
  const percentages = [0, 1, 25, 50, 75, 99, 100];
  const exactRanks = (sorted: readonly number[]): number[] =>
    percentages.map((percentage) => sorted[Math.floor((percentage * (sorted.length - 1)) / 100)] ?? 0);

  test('are exact for up to 200 numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 200 }), (numbers) => {
        const quantiles = new Quantiles(0.01);
        for (const number of numbers) quantiles.add(number);
        expect(quantiles.at(percentages)).toEqual(exactRanks(numbers.toSorted((a, b) => a - b)));
      }),
      cases(),
    );
  });

  test('are within the accuracy for 30,000 numbers', () => {
    const quantiles = new Quantiles(0.01);
    const numbers = Array.from({ length: 30_000 }, (_, index) => ((index * 7919) % 30_011) - 5000);
    for (const number of numbers) quantiles.add(number);
    const exact = exactRanks(numbers.toSorted((a, b) => a - b));
    for (const [index, value] of (quantiles.at(percentages) ?? []).entries()) {
      expect(Math.abs(value - exact[index]!)).toBeLessThanOrEqual(Math.abs(exact[index]!) * 0.0101);
    }
  });

  test('are undefined without numbers', () => {
    expect(new Quantiles(0.01).at([50])).toBeUndefined();
  });
});

describe('Laws of time', () => {
  const timed = fc.array(fc.tuple(event, fc.integer({ min: 0, max: 9999 })), { maxLength: 40 });
  const inOrder = (pairs: readonly (readonly [Fields, number])[]): Fields[] =>
    pairs
      .toSorted((a, b) => a[1] - b[1])
      .map(([fields, time]) => ({ ...fields, '@timestamp': String(time) }));
  const totalOf = (rows: readonly Fields[], column: string): number =>
    rows.reduce((sum, shown) => sum + Number(shown[column] ?? 0), 0);

  test('the buckets of timeChart() add up to the totals of all events', () => {
    fc.assert(
      fc.property(
        timed,
        fc.constantFrom('span=1s', 'span=700ms', 'span=auto', 'buckets=3', 'span=1h, timezone="+05:30"'),
        fc.constantFrom('', 'a, limit=500, '),
        (pairs, span, series) => {
          const pushed = inOrder(pairs).filter(({ a }) => series === '' || a !== undefined);
          const chart = rowsOf(`timeChart(${series}${span}, function=[count(), sum(v)])`, pushed);
          const [whole] = rowsOf('[count(), sum(v)]', pushed);
          expect(totalOf(chart, '_count')).toBe(Number(whole?._count));
          expect(totalOf(chart, '_sum')).toBeCloseTo(Number(whole?._sum), 6);
          const starts = chart.map(({ _bucket }) => Number(_bucket));
          expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        },
      ),
      cases(),
    );
  });

  test('window() equals its functions over the events of the preceding buckets', () => {
    fc.assert(
      fc.property(timed, fc.integer({ min: 1, max: 12 }), (pairs, length) => {
        const pushed = inOrder(pairs);
        const query = `timeChart(span=1s, function=window([count(), sum(v), min(v)], buckets=${length}))`;
        const chart = rowsOf(query, pushed, { start: 0, end: 9999 });
        expect(chart).toHaveLength(10);
        for (const [second, { _bucket, ...shown }] of chart.entries()) {
          expect(_bucket).toBe(String(second * 1000));
          const from = (second - length) * 1000;
          const before = pushed.filter((fields) => {
            const time = Number(fields['@timestamp']);
            return time >= from && time < second * 1000;
          });
          expect(shown).toEqual(from < 0 ? {} : rowsOf('[count(), sum(v), min(v)]', before)[0]);
        }
      }),
      cases(15),
    );
  });

  test('head(), tail() and selectLast() use event time, regardless of the order of arrival', () => {
    fc.assert(
      fc.property(timed, fc.integer({ min: 1, max: 15 }), (pairs, n) => {
        const shuffled = pairs.map(([fields, time]): Fields => ({ ...fields, '@timestamp': String(time) }));
        const ordered = inOrder(pairs);
        expect(rowsOf(`head(${n})`, shuffled)).toEqual(ordered.slice(0, n));
        expect(rowsOf(`tail(${n})`, shuffled)).toEqual(ordered.slice(-n).reverse());
        expect(rowsOf('selectLast([a, v])', shuffled)).toEqual(rowsOf('selectLast([a, v])', ordered));
      }),
      cases(),
    );
  });

  test('the order of events of the same time does not change the result', () => {
    const queries = [
      'groupBy([a, b], function=[count(), sum(v), min(v), max(v), percentile(v), count(b, distinct=true)])',
      'groupBy(a, limit=2)',
      'top([a, b], limit=3, rest=others, percent=true)',
      'timeChart(a, span=1s, limit=2)',
      'bucket(1s, field=[a, b], function=range(v))',
      'fieldstats()',
      'percentage({ v > 0 })',
      'fieldset()',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...queries),
        fc
          .array(event, { maxLength: 20 })
          .chain((events) =>
            fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
          ),
        (query, [events, shuffled]) => {
          const at = (fields: Fields): Fields => ({ ...fields, '@timestamp': '5' });
          expect(rowsOf(query, shuffled.map(at))).toEqual(rowsOf(query, events.map(at)));
        },
      ),
      cases(),
    );
  });
});

describe('Sketches', () => {
  const many = fc.record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    spread: fc.constantFrom(1e-6, 1, 1e3, 1e9, 1e300),
    accuracy: fc.constantFrom(0.1, 0.01, 0.0005),
  });

  test('percentiles of 12,000 numbers are within the accuracy', () => {
    fc.assert(
      fc.property(many, ({ seed, spread, accuracy }) => {
        const numbers = Array.from(
          { length: 12_000 },
          (_, index) => (((index * seed) % 10_007) / 10_007) ** 3 * spread,
        );
        const quantiles = new Quantiles(accuracy);
        for (const number of numbers) quantiles.add(number);
        const sorted = numbers.toSorted((a, b) => a - b);
        const percentages = [1, 50, 75, 99, 99.9];
        for (const [index, found] of (quantiles.at(percentages) ?? []).entries()) {
          const exact = sorted[Math.floor((percentages[index]! * (sorted.length - 1)) / 100)]!;
          expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * accuracy * 1.0001);
        }
      }),
      cases(20),
    );
  });

  test('the median of 300,000 numbers is within 1e-4 for an accuracy of 1e-6', () => {
    const quantiles = new Quantiles(1e-6);
    for (let index = 1; index <= 300_000; index += 1) quantiles.add(index);
    const [median = 0] = quantiles.at([50]) ?? [];
    expect(Math.abs(median - 150_000) / 150_000).toBeLessThan(1e-4);
  });

  test('distinct values are counted exactly up to 1,000, and within 3 percent beyond', () => {
    for (const size of [999, 1000, 1001, 20_000, 300_000]) {
      const distinct = new DistinctValues(1000);
      for (let index = 0; index < size; index += 1) {
        distinct.add(`value ${index}`);
        distinct.add(`value ${index >> 1}`);
      }
      if (size <= 1000) expect(distinct.size).toBe(size);
      else expect(Math.abs(distinct.size - size) / size).toBeLessThan(0.03);
    }
  });
});

test.each(['head(20000)', 'tail(15000)'])('%s sorts rows in slices of fewer than 5,000', (query) => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({
    '@timestamp': String((index * 7919) % 20_000),
  }));
  const run = runOf(query, rows);
  const sort = vi.spyOn(Array.prototype, 'sort');
  try {
    const times = run.rows().map((fields) => Number(fields['@timestamp']));
    const lengths = sort.mock.contexts.map((sorted) => (sorted as unknown[]).length);
    expect(Math.max(...lengths)).toBeLessThan(5_000);
    expect(times).toEqual(times.toSorted((a, b) => (query.startsWith('head') ? a - b : b - a)));
  } finally {
    sort.mockRestore();
  }
});

test('reading a result 100 times stays within maxBytes', () => {
  const limits = { maxGroups: 1000, maxBytes: 100_000 };
  const plan = compileQuery('groupBy(k) | sort(_count) | head() | accumulate(sum(_count)) | tail(3)');
  const run = plan.open({ start: 0, end: 1, now: 1, timeZone: 'UTC', limits });
  for (let index = 0; index < 50; index += 1) run.push({ k: String(index) });
  for (let read = 0; read < 100; read += 1) expect(run.rows()).toHaveLength(3);
});

test('slidingWindow() over 200 events stays within maxBytes', () => {
  const limits = { maxGroups: 1000, maxBytes: 200_000 };
  const plan = compileQuery('head() | slidingWindow(collect(k), events=50) | count()');
  const run = plan.open({ start: 0, end: 1, now: 1, timeZone: 'UTC', limits });
  for (let index = 0; index < 200; index += 1) run.push({ k: String(index) });
  expect(run.rows()).toEqual([{ _count: '200' }]);
});

test('default limits and an exceeded memlimit cause warnings, an explicit limit does not', () => {
  const pushed = Array.from({ length: 30 }, (_, index) => ({
    '@timestamp': '1',
    k: String(index),
    [`f${index}`]: '',
  }));
  const warningsOf = (query: string): readonly string[] => {
    const run = runOf(query, pushed);
    run.rows();
    return run.warnings;
  };
  expect(warningsOf('timeChart(k, span=1h, limit=5)')).toEqual([]);
  expect(warningsOf('bucket(field=k, span=1h)')).toEqual([
    'bucket() shows the 10 largest of 30 series. Set "limit" for more.',
  ]);
  expect(warningsOf('transpose(limit=7)')).toEqual([]);
  expect(warningsOf('transpose()')).toEqual(['transpose() uses at most 5 rows. Set "limit" for more.']);
  expect(warningsOf('fieldstats(limit=7)')).toEqual([]);
  expect(warningsOf('series(k, memlimit=10B)')).toEqual([
    'series() keeps at most 10 bytes of values. Set "memlimit" for more.',
  ]);
  expect(warningsOf('timeChart(span=1ms)')).toEqual([
    'A span of 1 millisecond gives more than 1500 buckets; the result uses 7 milliseconds.',
  ]);
});
