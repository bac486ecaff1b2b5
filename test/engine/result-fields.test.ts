import { expect, test } from 'vitest';
import { falseFields, resultFields } from '../../src/language/index.ts';
import { GOLDEN_CASES } from './golden/all.ts';
import { events, runOf } from './run-query.ts';

const CASES = Object.values(GOLDEN_CASES).flat();

/** Values of the fields that a query reads: missing, text, no canonical number, huge, and numbers. */
const VALUES = ['', 'n=x g=a', 'n=007 g=b', 'n=1e300 g=a', 'n=3 g=b', 'n=4.5', 'n=1e308 g=c', 'n=1e308 g=c'];
const EVENTS = events(...VALUES.map((fields, index) => `@timestamp=${1000 * (index + 1)} ${fields}`.trim()));

const FUNCTIONS = [
  'count()',
  'sum(n)',
  'avg(n)',
  'min(n)',
  'max(n)',
  'range(n)',
  'stdDev(n)',
  'percentile(n)',
];
const QUERIES = [
  ...FUNCTIONS.flatMap((call) => [
    call,
    `groupBy(g, function=${call})`,
    `x := ${call}`,
    `bucket(1s, function=${call})`,
  ]),
  'groupBy(g, function=[count(), {n=3 | max(n)}])',
  'groupBy(g, function={count() | _count > 2})',
  'groupBy(g) | n := _count * 2 | _count := "x"',
  'groupBy(g) | g := _count',
  'groupBy(g, function=[count(), count(as=_count)])',
  'groupBy(g) | case { _count > 2 | k := 1; * | k := "few" }',
  'groupBy(g) | rename(_count, as=g)',
  'groupBy([g, n]) | table([g, n, _count])',
  'groupBy(g) | eval(x=_count/0, y=_count+1) | round(y)',
  'top(n)',
  'top(g, sum=n)',
  'timeChart(g, function=avg(n), span=2s)',
  'table([n, g]) | length(n) | lower(g)',
  'groupBy(g, function=[count(), max(n)]) | rename([[_count, g], [_max, _count]])',
  'groupBy(g) | rename(missing, as=_count)',
  'groupBy(g) | drop(_count) | x := _count | y := g',
  'groupBy(g) | case { _count>1 | drop(_count); * | drop([g, _count]) }',
  'groupBy(g, function=selectFromMax(n, include=[n, missing]))',
  'selectFromMin(n, include=[n, g])',
  'sankey(source=g, target=n)',
];

test('The derived fields of a query hold for each row: no others, those that are sure, and numbers', () => {
  const runs = [
    ...CASES.map(([query, given, , options]) => ({ query, run: runOf(query, given, options) })),
    ...QUERIES.map((query) => ({ query, run: runOf(query, EVENTS) })),
  ];
  const wrong = runs.flatMap(({ query, run }) => {
    const fields = resultFields(query);
    const { fieldOrder } = run;
    const rows = run.rows().flatMap((row) => falseFields(fields, row));
    // Some services also have these two.
    const derived = [...(fields?.keys() ?? [])].filter(
      (name) => !/session/.test(query) || !/^[@_][td]/.test(name),
    );
    const isSame = fields === undefined || fieldOrder === undefined || isSameSet(derived, fieldOrder);
    return [...rows, ...(isSame ? [] : [`${derived} are not ${fieldOrder}`])].map(
      (what) => `${query}: ${what}`,
    );
  });
  expect(wrong).toEqual([]);
});

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join() === [...new Set(other)].sort().join();
}

test('The numbers of aggregates are known, and their groups are text', () => {
  const numbers = (query: string) =>
    Array.from(resultFields(query) ?? []).flatMap(([name, { isNumber }]) => (isNumber ? [name] : []));
  expect(numbers('groupBy(n, function=[count(), max(n)])')).toEqual(['_count', '_max']);
  expect(numbers('timeChart(g)')).toEqual(['_bucket', '_count']);
  expect(numbers('groupBy(g) | x := _count * 2 | y := "1"')).toEqual(['_count', 'x']);
  expect(numbers('table([n])')).toEqual([]);
  expect(resultFields('level=error')).toBeUndefined();
  expect(resultFields('count() | join({a=*}, field=_count, include=[b])')?.has('b')).toBe(true);
  for (const call of ['join({a=*}, field=_count)', 'match(f.csv, field=_count)', 'rename(?a, as=b)'])
    expect(resultFields(`count() | ${call}`), call).toBeUndefined();
  for (const target of ['g', 'format("%s", field=g)'])
    expect(resultFields(`groupBy(g) | setField(target=${target}, value="x")`), target).toBeUndefined();
  expect([...resultFields('groupBy(g) | setField(target="a", value="x")')!.keys()]).toContain('a');
  expect([...resultFields('groupBy(g) | drop(g) | rename(_count, as=n)')!.keys()]).toEqual(['n']);
});
