import { expect, test } from 'vitest';
import { QueryMemoryError } from '../../src/engine/query-limit-error.ts';
import { rowsOf } from './run-query.ts';

const MAX_BYTES = 20_000;
const PLENTY = 50_000_000;

const input = Array.from({ length: 500 }, (_, n) => ({
  '@timestamp': String(n),
  k: `key ${n}`,
  j: 'same',
  n: String(n),
}));

const run = (query: string, maxBytes: number): unknown =>
  rowsOf(query, input, { limits: { maxGroups: 1000, maxBytes } });

test.each([
  'join({*}, field=k)',
  'defineTable({*}, name=t, include=[k, n]) | match(table=t, field=k)',
  'defineTable({*}, name=t, include=[k, n]) | readFile(t)',
  'selfJoin(k, where={*})',
  'selfJoinFilter(k, where={*})',
  'correlate(a: {n < 250}, b: {n >= 250 | j <=> a.j}, within=1m)',
  'sankey(source=k, target=n)',
  'series(k, memlimit=1MB)',
  'groupBy(k, function=series(n))',
  'groupBy(j, function=session(collect(k), maxpause=1ms))',
  'head(1000) | session(collect(k), maxpause=1ms)',
  'head(1000) | slidingWindow(count(), events=3)',
  'head(1000) | slidingTimeWindow(count(), span=2ms)',
  'timeChart(span=1ms, function=window(collect(k), buckets=3))',
  'head(1000) | partition(collect(k), condition=test(n < 0))',
  'head(1000) | neighbor(k, prefix=p)',
  'head(1000) | accumulate(collect(k))',
  'timeChart(k, span=100ms, limit=100)',
  'bucket(field=k, span=100ms, limit=100)',
  'groupBy(k)',
  'groupBy(j, function=collect(k))',
  'groupBy(j, function=count(k, distinct=true))',
  'top(k, limit=1000)',
  'sort(n, limit=max)',
  'head(1000)',
  'tail(1000)',
  'worldMap(lat=n, lon=n)',
  '[groupBy(k, limit=30), groupBy(n, limit=30)]',
])('%s fails if it needs more memory than its limit', (query) => {
  expect(() => run(query, MAX_BYTES)).toThrow(QueryMemoryError);
  expect(run(query, PLENTY)).not.toEqual([]);
});

test.each([
  'slidingWindow(count(), events=3)',
  'slidingTimeWindow(count(), span=2ms)',
  'accumulate(count())',
  'partition(count(), condition={j=same})',
])('%s counts the rows that it keeps toward the limit', (query) => {
  const enoughForHead = 150_000;
  expect(run('head(1000)', enoughForHead)).toHaveLength(500);
  expect(() => run(`head(1000) | ${query}`, enoughForHead)).toThrow(QueryMemoryError);
  expect(run(`head(1000) | ${query}`, PLENTY)).not.toEqual([]);
});
