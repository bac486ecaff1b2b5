import { describe, expect, test } from 'vitest';
import { compileQuery, type Fields } from '../../src/engine/index.ts';
import { events, rowsOf, runOf } from './run-query.ts';

const CONTEXT = { start: 0, end: 10_000, now: 10_000, timeZone: 'UTC' };
const numbered = (count: number): Fields[] =>
  Array.from({ length: count }, (_, index) => ({ '@timestamp': String(index), n: String(index) }));

describe('Filter queries', () => {
  test('return the 200 newest events, newest first, and whether there are more', () => {
    const exactly = runOf('*', numbered(200));
    expect(exactly.rows()).toHaveLength(200);
    expect(exactly.extraData).toEqual({ hasMoreEvents: 'false' });
    const more = runOf('*', numbered(450));
    expect(more.rows().map(({ n }) => Number(n))).toEqual(
      Array.from({ length: 200 }, (_, index) => 449 - index),
    );
    expect(more.extraData).toEqual({ hasMoreEvents: 'true' });
    expect(more.fieldOrder).toBeUndefined();
  });

  test('reverse the order of events with the same time', () => {
    expect(rowsOf('*', events('@timestamp=1 n=a', '@timestamp=1 n=b')).map(({ n }) => n)).toEqual(['b', 'a']);
  });

  test('can be read while events arrive', () => {
    const run = runOf('n=*', numbered(1));
    expect(run.rows()).toHaveLength(1);
    run.push({ n: 'late' });
    expect(run.rows().map(({ n }) => n)).toEqual(['late', '0']);
  });

  test('stream each event immediately', () => {
    const seen: Fields[] = [];
    const stream = compileQuery('f=/(?<d>\\d)/g | d > 1 | x := d + 1').openStream(CONTEXT, (event) =>
      seen.push(event),
    );
    stream.push({ f: '1 2 3' });
    stream.push({ f: '-' });
    expect(seen).toEqual([
      { f: '1 2 3', d: '2', x: '3' },
      { f: '1 2 3', d: '3', x: '4' },
    ]);
  });
});

describe('Aggregate queries', () => {
  test('cannot be streamed', () => {
    expect(() => compileQuery('count()').openStream(CONTEXT, () => {})).toThrow(TypeError);
  });

  test('return a new snapshot each time they are read', () => {
    const run = runOf('groupBy(k) | sort(_count) | rank := "x"', events('k=a', 'k=b', 'k=b'));
    const first = run.rows();
    expect(first).toEqual(events('k=b _count=2 rank=x', 'k=a _count=1 rank=x'));
    run.push({ k: 'a' });
    run.push({ k: 'a' });
    expect(run.rows()).toEqual(events('k=a _count=3 rank=x', 'k=b _count=2 rank=x'));
    expect(first).toEqual(events('k=b _count=2 rank=x', 'k=a _count=1 rank=x'));
  });

  test('share no state between the runs of a plan', () => {
    const plan = compileQuery('case { a=1 | k:="x"; * | k:="y" } | groupBy(k)');
    const one = plan.open(CONTEXT);
    const two = plan.open(CONTEXT);
    one.push({ a: '1' });
    two.push({ a: '2' });
    expect([one.rows(), two.rows()]).toEqual([events('k=x _count=1'), events('k=y _count=1')]);
  });
});

test.each([
  ['count()', ['_count']],
  ['groupBy([b, a], function=[max(x), n := count()])', ['b', 'a', '_max', 'n']],
  ['groupBy(a, function=collect([b, a]))', ['a', 'b']],
  ['groupBy(a) | rate := _count / 2 | sort(rate) | head(3)', ['a', '_count', 'rate']],
  ['groupBy(a) | rename(_count, as=n) | drop(a) | default(0, field=z)', ['n', 'z']],
  ['groupBy(a) | select([_count, a])', ['_count', 'a']],
  ['groupBy(a) | eval(b=1) | a=/(?<c>.)/', ['a', '_count', 'b', 'c']],
  ['groupBy(a) | case { a=1 | x:=1; * | y:=1 }', ['a', '_count', 'x', 'y']],
  ['groupBy(a, function={ count() | d := 1 })', ['a', '_count', 'd']],
  ['table([c, b, a])', ['c', 'b', 'a']],
  ['top([a, b], percent=true)', ['a', 'b', '_count', 'percent']],
  ['timeChart(s, function=[avg(x), sum(x)])', ['_bucket', 's', '_avg', '_sum']],
  ['percentile(x, percentiles=[50, 99.9])', ['_50', '_99.9']],
  ['select([b, a])', ['b', 'a']],
  ['groupBy(a, function=tail(1))', undefined],
  ['groupBy(a) | neighbor([_count, b], prefix=p)', ['a', '_count', 'p._count', 'p.b']],
  ['groupBy(a) | accumulate([sum(_count), x := count()])', ['a', '_count', '_sum', 'x']],
  ['timeChart(function=[count(), window(avg(x), buckets=2)])', ['_bucket', '_count', '_avg']],
  ['linReg(x=a, y=b)', ['_slope', '_intercept', '_r2', '_n']],
  ['groupBy(a, function=session([max(b)]))', ['a', '_max']],
  ['groupBy(a) | transpose()', undefined],
  ['tail(5)', undefined],
  ['createEvents("x") | kvParse()', undefined],
  ['a=1', undefined],
])('the columns of %s are %j', (query, columns) => {
  expect(runOf(query).fieldOrder).toEqual(columns);
});

test.each([
  ['', '*', false],
  ['status=500', 'status=500', false],
  ['count()', '*', true],
  ['a=1 | b=2 | count() | x := 1', 'a=1 | b=2', true],
  ['a=1 count()', 'a=1', true],
  ['[count(), max(a)]', '*', true],
  ['n := count()', '*', true],
])('the filter part of %j is %j', (query, filterQueryString, isAggregate) => {
  const plan = compileQuery(query);
  expect(plan.filterQueryString).toBe(filterQueryString);
  expect(plan.isAggregate).toBe(isAggregate);
});

describe('Warnings', () => {
  test('report groups, rows and values that are not shown', () => {
    const input = numbered(300);
    expect(runOf('groupBy(n, limit=10)', input).rows()).toHaveLength(10);
    const warningsOf = (query: string): readonly string[] => {
      const run = runOf(query, input);
      run.rows();
      run.rows();
      return run.warnings;
    };
    expect(warningsOf('groupBy(n, limit=10)')).toEqual([
      'groupBy() shows the 10 largest of 300 groups. Set "limit" for more.',
    ]);
    expect(warningsOf('sort(n)')).toEqual(['sort() shows 200 of 300 rows. Set "limit" for more.']);
    expect(warningsOf('table(n)')).toEqual(['table() shows 200 of 300 rows. Set "limit" for more.']);
    expect(warningsOf('sort(n, limit=10)')).toEqual([]);
    expect(warningsOf('collect(n, limit=5)')).toEqual([
      'collect() keeps at most 5 values of "n". Set "limit" for more.',
    ]);
    expect(warningsOf('timeChart(n, span=1s)')).toEqual([
      'timeChart() shows the 10 largest of 300 series. Set "limit" for more.',
    ]);
    expect(warningsOf('[max(n), min(n, as=_max)]')).toEqual([
      'max(n) also writes "_max": the service fails if the values differ.',
      'Two functions set the field "_max" to different values. The first is kept; use "as" to rename one.',
    ]);
    expect(warningsOf('groupBy(n)')).toEqual([]);
  });

  test('report a limit above the maximum number of rows, also in subqueries and saved queries', () => {
    const warning = (name: string, max: number): string[] => [
      `${name}(): a limit of 3000000 is above the maximum; ${max} is used.`,
    ];
    const warningsOf = (query: string): readonly string[] => {
      const library = { savedQueries: { mine: 'table(n, limit=?rows)' } };
      const run = runOf(query, numbered(3), { library });
      expect(run.rows()).toHaveLength(3);
      return run.warnings;
    };
    expect(warningsOf('groupBy(n, limit=3000000)')).toEqual(warning('groupBy', 1_000_000));
    expect(warningsOf('groupBy(n, function=tail(3000000))')).toEqual(warning('tail', 200_000));
    expect(warningsOf('$mine(rows=3000000)')).toEqual(warning('table', 200_000));
    expect(warningsOf('join({ sort(n, limit=3000000) }, field=n)')).toEqual(warning('sort', 200_000));
    expect(warningsOf('groupBy(n, limit=1000000) | sort(n, limit=max)')).toEqual([]);
  });

  test('groupBy keeps the groups with the largest results', () => {
    const input = events('k=a v=1', 'k=b v=9', 'k=c v=5', 'k=d v=7');
    expect(rowsOf('groupBy(k, function=sum(v), limit=2)', input)).toEqual(events('k=b _sum=9', 'k=d _sum=7'));
  });
});

test('names of functions and keywords are case-insensitive', () => {
  expect(rowsOf('NOT a=1 | GROUPBY(a, function=Count())', events('a=2'))).toEqual(events('a=2 _count=1'));
});

test('frozen events pass through every kind of step', () => {
  const event = Object.freeze({ '@timestamp': '1', '@rawstring': '{"a":1} k=v', f: 'x' });
  for (const step of [
    'x := 1',
    'drop(f)',
    'rename(f, as=g)',
    'default(1, field=g)',
    'eval(g=1)',
    'kvParse()',
    'f=/(?<y>.)/',
    'regex("(?<y>.)", field=f, strict=false)',
    'case { f=x | g := 1; * }',
    'f match { /(?<z>.)/ => g := 1 }',
    'replace("x", with="y", field=f)',
    'stats([{ g := 1 | count() }, tail(1)])',
    'head(1) | g := 1',
    'tail(1) | drop(f)',
    'sort(f) | rename(f, as=g)',
  ]) {
    expect(rowsOf(step, [event]), step).toHaveLength(1);
  }
});

// Columns of columns: if each step read them twice, the first would be read 2^400 times.
test.each([
  ['x := x + x', 400, (2 ** 400).toExponential()],
  ['x := x + y', 400, '1'],
  ['x := if(x > 1, then=y, else=x)', 400, '1'],
  ['case { x=1 | x := x + x; * | x := x / 2 }', 400, '1'],
  ['x := x + 1', 2000, '2001'],
  ['rename(x, as=z) | rename(z, as=x)', 400, '1'],
  ['x=/(?<x>\\d)/', 400, '1'],
])('a query of the step %s, %i times, is computed in linear time', (step, times, expected) => {
  const query = `${Array(times).fill(step).join(' | ')} | max(x)`;
  const [row] = rowsOf(query, events('x=1'));
  expect(Number(row?._max)).toBe(Number(expected));
});

test('the combined results of several functions are limited to the maximum number of rows', () => {
  const run = runOf(
    '[tail(max), tail(max)]',
    Array.from({ length: 1000 }, () => ({ n: '1' })),
  );
  expect(run.rows()).toHaveLength(200_000);
  expect(run.warnings).toEqual(['The results of several functions have more than 200000 combinations.']);
});

describe('A prefix filter', () => {
  const rows = (query: string, before: string) => {
    const run = compileQuery(query, { before }).open(CONTEXT);
    for (const event of events('a=1 b=1', 'a=1 b=2', 'a=2 b=3')) run.push(event);
    return run.rows();
  };

  test('applies to events before the first step and after the definitions', () => {
    expect(rows('count()', 'a=1')).toEqual([{ _count: '2' }]);
    expect(rows('b=2 | count()', 'case { a=1 | b=2; a=2 }')).toEqual([{ _count: '1' }]);
    expect(rows('setTimeInterval(start="1h") | count()', 'a=2')).toEqual([{ _count: '1' }]);
    expect(rows('*', 'a=2')).toMatchObject([{ b: '3' }]);
  });

  test('adds no rows and is not part of the reported query', () => {
    expect(rows('createEvents(["x=1"]) | count()', 'a=1')).toEqual([{ _count: '1' }]);
    expect(compileQuery('b=2 | count()', { before: 'a=1' }).filterQueryString).toBe('b=2');
  });
});
