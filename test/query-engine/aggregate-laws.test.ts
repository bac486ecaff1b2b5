import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Quantiles } from '../../src/query-engine/quantiles.ts';
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

describe('laws of aggregates', () => {
  test('the counts of groups add up to the count of events', () => {
    fc.assert(
      fc.property(input, (events) => {
        const total = rowsOf('groupBy([a, b])', events).reduce((sum, { _count }) => sum + Number(_count), 0);
        expect(total).toBe(events.length);
        expect(rowsOf('groupBy([a, b]) | sum(_count)', events)).toEqual([{ _sum: String(events.length) }]);
      }),
    );
  });

  test('reading twice gives the same, and reading early changes nothing', () => {
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
    );
  });

  test('tail(n) is the end of the events in reverse, head(n) their beginning', () => {
    fc.assert(
      fc.property(input, fc.integer({ min: 1, max: 50 }), (events, n) => {
        expect(rowsOf(`tail(${n})`, events)).toEqual(events.slice(-n).reverse());
        expect(rowsOf(`head(${n})`, events)).toEqual(events.slice(0, n));
      }),
    );
  });

  test('a limited sort is the beginning of the whole sort', () => {
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
    );
  });

  test('avg times count is sum', () => {
    fc.assert(
      fc.property(input, (events) => {
        const [{ _avg, _sum, n } = {}] = rowsOf('test(v * 1 == v) | [avg(v), sum(v), count(as=n)]', events);
        if (_avg !== undefined) expect(Number(_avg) * Number(n)).toBeCloseTo(Number(_sum), 6);
      }),
    );
  });
});

describe('Quantiles', () => {
  const percentages = [0, 1, 25, 50, 75, 99, 100];
  const exactRanks = (sorted: readonly number[]): number[] =>
    percentages.map(
      (percentage) => sorted[Math.max(1, Math.ceil((percentage / 100) * sorted.length)) - 1] ?? 0,
    );

  test('are exact for few numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 200 }), (numbers) => {
        const quantiles = new Quantiles(0.01);
        for (const number of numbers) quantiles.add(number);
        expect(quantiles.at(percentages)).toEqual(exactRanks(numbers.toSorted((a, b) => a - b)));
      }),
    );
  });

  test('are within the accuracy for many numbers', () => {
    const quantiles = new Quantiles(0.01);
    const numbers = Array.from({ length: 30_000 }, (_, index) => ((index * 7919) % 30_011) - 5000);
    for (const number of numbers) quantiles.add(number);
    const exact = exactRanks(numbers.toSorted((a, b) => a - b));
    for (const [index, value] of (quantiles.at(percentages) ?? []).entries()) {
      expect(Math.abs(value - exact[index]!)).toBeLessThanOrEqual(Math.abs(exact[index]!) * 0.0101);
    }
  });

  test('of nothing are nothing', () => {
    expect(new Quantiles(0.01).at([50])).toBeUndefined();
  });
});
