import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/engine/index.ts';
import { events, rowsOf } from './run-query.ts';

const REQUESTS = events(
  '@timestamp=1000 method=GET status=200 host=a',
  '@timestamp=2000 method=GET status=404 host=b',
  '@timestamp=3000 method=POST status=500 host=a',
  '@timestamp=4000 method=GET status=200',
  '@timestamp=5000 method=PUT status=abc host=a',
);

/** Filter queries: the timestamps of the result, newest first. */
const FILTERS: Readonly<Record<string, readonly number[]>> = {
  '': [5000, 4000, 3000, 2000, 1000],
  '*': [5000, 4000, 3000, 2000, 1000],
  'status=200': [4000, 1000],
  'status!=200': [5000, 3000, 2000],
  'host!=a': [4000, 2000],
  'host=*': [5000, 3000, 2000, 1000],
  'host!=*': [4000],
  'status>=400': [3000, 2000],
  'not status>=400': [5000, 4000, 1000],
  'method=G*': [4000, 2000, 1000],
  'method=/^p/i': [5000, 3000],
  'method=GET or status=500 host=a': [3000, 1000],
  'test(status > 300)': [3000, 2000],
  'in(status, values=["4*","500"])': [3000, 2000],
  '!in(host, values=[a])': [4000, 2000],
  'case { status=404 | k:="nf" }': [2000],
};

/** Aggregate queries: their rows in order. */
const AGGREGATES: Readonly<Record<string, readonly Fields[]>> = {
  'count()': events('_count=5'),
  'count(host)': events('_count=4'),
  'count(method, distinct=true)': events('_count=3'),
  'groupBy(method)': events('method=GET _count=3', 'method=POST _count=1', 'method=PUT _count=1'),
  'groupBy(host, function=[])': events('host=a', 'host=b', ''),
  'top(host)': events('host=a _count=3', 'host=b _count=1'),
  '[min(status), max(status)]': events('_min=200 _max=500'),
  'sum(status)': events('_sum=1304'),
  'avg(nope)': [],
  'sum(nope)': events('_sum=0'),
  'case { status=404 | k:="nf"; status>=500 | k:="err"; * | k:="ok" } | groupBy(k)': events(
    'k=err _count=1',
    'k=nf _count=1',
    'k=ok _count=3',
  ),
  'method match { GET => x:="read"; /^(PUT|POST)$/ => x:="write" } | groupBy(x)': events(
    'x=read _count=3',
    'x=write _count=2',
  ),
  's := if(status >= 400, then="bad", else="good") | groupBy(s)': events('s=bad _count=2', 's=good _count=3'),
  'tail(2) | select([@timestamp])': events('@timestamp=5000', '@timestamp=4000'),
  'head(1) | select([method])': events('method=GET'),
  'groupBy(method, function=[count(as=n), collect(host)]) | sort(n)': [
    { method: 'GET', n: '3', host: 'a\nb' },
    { method: 'POST', n: '1', host: 'a' },
    { method: 'PUT', n: '1', host: 'a' },
  ],
  'groupBy(method, function={ status=* | max(status, as=m) | d := m - 200 })': events(
    'method=GET m=404 d=204',
    'method=POST m=500 d=300',
  ),
};

const LINE: Fields = { '@rawstring': 'disk_free=2000 mount=/var' };

/** Queries on one line of text. */
const EXTRACTIONS: Readonly<Record<string, readonly Fields[]>> = {
  '/disk_free=(?<space>\\d+)/ | space < 1000': [],
  '/disk_free=(?<space>\\d+)/ space > 1000': [{ ...LINE, space: '2000' }],
  'regex("mount=(?<m>\\\\S+)")': [{ ...LINE, m: '/var' }],
  'regex("nope=(?<x>.)", strict=false)': [LINE],
  'kvParse() | select([disk_free, mount])': [{ disk_free: '2000', mount: '/var' }],
  'replace("\\\\d+", with="N") | select(@rawstring)': [{ '@rawstring': 'disk_free=N mount=/var' }],
  'part := splitString(by=" ")': [{ ...LINE, 'part[0]': 'disk_free=2000', 'part[1]': 'mount=/var' }],
};

describe('Worked examples', () => {
  test.each(Object.entries(FILTERS))('%s', (query, expected) => {
    const found = rowsOf(query, REQUESTS).map((row) => Number(row['@timestamp']));
    expect(found).toEqual(expected);
  });

  test.each(Object.entries(AGGREGATES))('%s', (query, expected) => {
    expect(rowsOf(query, REQUESTS)).toEqual(expected);
  });

  test.each(Object.entries(EXTRACTIONS))('%s', (query, expected) => {
    expect(rowsOf(query, [LINE])).toEqual(expected);
  });

  test('createEvents() and parseJson() flatten JSON', () => {
    const query = String.raw`createEvents(["{\"a\":{\"b\":[1,2]},\"c\":null}"]) | parseJson() | drop([@rawstring, @timestamp])`;
    expect(rowsOf(query)).toEqual([{ 'a.b[0]': '1', 'a.b[1]': '2', c: 'null' }]);
  });

  test('a single row of one aggregate is repeated next to the rows of another', () => {
    const query = 'createEvents(["x=1","x=2","x=9","x=10"]) | kvParse() | stats([avg(x), table([x])])';
    expect(rowsOf(query)).toEqual(events('_avg=5.5 x=1', '_avg=5.5 x=2', '_avg=5.5 x=9', '_avg=5.5 x=10'));
  });
});
