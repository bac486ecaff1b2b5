import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Fields } from '../../src/engine/index.ts';
import { events, type RunOptions, rowsOf } from './run-query.ts';

interface Example {
  readonly query: string;
  readonly events: readonly Fields[];
  readonly rows: readonly Fields[];
  readonly options?: RunOptions;
}

/** Examples from the service's documentation, published parser tests and public dashboards. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  'objectArray:eval() leaves no gap for elements without a result': {
    query:
      'objectArray:eval("in[]", asArray="out[]", function={in.kind=source | out := in.name}) | x := out[0] | select([x, "out[0]", "out[1]"])',
    events: events('in[0].kind=destination in[0].name=d in[1].kind=source in[1].name=s'),
    rows: events('x=s out[0]=s'),
  },
  'objectArray:eval() skips missing elements': {
    query:
      'objectArray:eval("a[]", asArray="m[]", function={ m := concat([a.first, a.last]) }) | select(["m[0]", "m[1]", "m[2]", "m[3]"])',
    events: events(
      'a[0].first=A a[0].last=z a[1].first=B a[1].last=y a[2].first=C a[2].last=x a[4].first=E a[4].last=w',
    ),
    rows: events('m[0]=Az m[1]=By m[2]=Cx m[3]=Ew'),
  },
  'parseUrl() reads a path without a host': {
    query: 'parseUrl(uri) | groupBy(uri.path)',
    events: events('uri=/graphql'),
    rows: events('uri.path=/graphql _count=1'),
  },
  'parseUrl() reads a host and a port without "//" as a scheme': {
    query: 'parseUrl() | drop(url)',
    events: events('url=site.example.com:80/x'),
    rows: events('url.scheme=site.example.com'),
  },
  'percentile() of four values returns the value at the index ⌊p·3⌋': {
    query: 'timeChart(function=percentile(r1), span=4m)',
    events: events('@timestamp=0 r1=120', '@timestamp=1 r1=145', '@timestamp=2 r1=98', '@timestamp=3 r1=167'),
    rows: events('_bucket=0 _50=120 _75=145 _99=145'),
  },
  'percentile() of two values returns the smaller one for all percentiles below 100': {
    query: 'percentile(r, percentiles=[1, 50, 99, 100])',
    events: events('r=9', 'r=1'),
    rows: events('_1=1 _50=1 _99=1 _100=9'),
  },
  'communityId() leaves out both ports if one is missing': {
    query: 'communityId(proto=p, sourceip=s, destinationip=d, sourceport=sp, destinationport=dp)',
    events: events('p=tcp s=127.0.0.1 d=127.0.0.1 dp=49830'),
    rows: events('p=tcp s=127.0.0.1 d=127.0.0.1 dp=49830 _community_id=1:uncxxpbOO9+YWh5O+3iRGns2pEI='),
  },
  'kvParse(separatorPadding=yes) reads an empty value before the next key': {
    query: 'kvParse(separatorPadding="yes") | drop(@rawstring)',
    events: [{ '@rawstring': 'firstname = John middlename = lastname = Doe' }],
    rows: events('firstname=John middlename= lastname=Doe'),
  },
  'a member in back-ticks is read without them in the name of an array': {
    query: 'array:contains(array="user.`e-mail`[]", value="x")',
    events: events('user.e-mail[0]=x', 'user.e-mail[0]=y'),
    rows: events('user.e-mail[0]=x'),
  },
  'a member in back-ticks is read without them in filters, expressions and assignments': {
    query: 'user.`e-mail`=x | user.`new-mail` := user.`e-mail`',
    events: events('user.e-mail=x', 'user.e-mail=y'),
    rows: events('user.e-mail=x user.new-mail=x'),
  },
  'a saved query accepts an array as an argument': {
    query: '$many(mv=["value1", "value2"])',
    events: events('a=value1', 'a=value2', 'a=value3'),
    rows: events('a=value2', 'a=value1'),
    options: { library: { savedQueries: { many: 'in(field=a, values=?mv)' } } },
  },
  'a saved query passes an array on to another one, together with other values': {
    query: '$outer(mv=["value1", "value2"])',
    events: events('a=value1', 'a=value2', 'a=value3', 'a=value4'),
    rows: events('a=value3', 'a=value2', 'a=value1'),
    options: {
      library: {
        savedQueries: { outer: '$many(list=?mv)', many: 'in(field=a, values=[?list, value3])' },
      },
    },
  },
  'array:intersection() ignores events without the array': {
    query: 'array:intersection("m[]", as=u)',
    events: events('m[0]=a m[1]=b', 'm[0]=b', 'x=1'),
    rows: events('u[0]=b'),
  },
  'fieldstats() names its columns field, _count and distinct': {
    query: 'fieldstats()',
    events: events('a=1', 'a=2'),
    rows: events('field=a _count=2 distinct=2'),
  },
  'findTimestamp() reads a year at the end': {
    query: 'findTimestamp() | select(@timestamp)',
    events: [{ '@rawstring': 'Jun 07 12:30:45 UTC 2023' }],
    rows: [{ '@timestamp': String(Date.UTC(2023, 5, 7, 12, 30, 45)) }],
  },
  'findTimestamp() reads second 60 as 59': {
    query: 'findTimestamp() | select(@timestamp)',
    events: [{ '@rawstring': '2023-06-07T12:30:60Z' }],
    rows: [{ '@timestamp': String(Date.UTC(2023, 5, 7, 12, 30, 59)) }],
  },
  'findTimestamp() reads a time without a date as today': {
    query: 'findTimestamp() | select(@timestamp)',
    events: [{ '@rawstring': '08:15:00 up' }],
    rows: [{ '@timestamp': String(Date.UTC(2025, 2, 10, 8, 15)) }],
    options: { now: Date.UTC(2025, 2, 10, 9) },
  },
  'findTimestamp() reads a time later than now as yesterday': {
    query: 'findTimestamp() | select(@timestamp)',
    events: [{ '@rawstring': '08:15:00 up' }],
    rows: [{ '@timestamp': String(Date.UTC(2025, 2, 9, 8, 15)) }],
    options: { now: Date.UTC(2025, 2, 10, 8) },
  },
  'findTimestamp() prefers a date to an earlier time': {
    query: 'findTimestamp() | select(@timestamp)',
    events: [{ '@rawstring': '08:15:00 since 2023-06-07T12:30:45Z' }],
    rows: [{ '@timestamp': String(Date.UTC(2023, 5, 7, 12, 30, 45)) }],
  },
  'match(mode=glob) matches a part of the value': {
    query: 'match(file="t.csv", column=pattern, field=f, mode=glob, include=[])',
    events: events('f=123thisMatch456', 'f=other'),
    rows: events('f=123thisMatch456'),
    options: { library: { files: { 't.csv': ['pattern', 'thisMatch'] } } },
  },
  'sort(order=asc) puts missing values first': {
    query: 'groupBy([method, statuscode]) | sort([method, statuscode], order=asc)',
    events: events('method=GET statuscode=200', 'method=GET', 'method=GET statuscode=404'),
    rows: events(
      'method=GET _count=1',
      'method=GET statuscode=200 _count=1',
      'method=GET statuscode=404 _count=1',
    ),
  },
  'subnet() returns the address with the number of bits': {
    query: 'subnet(ip, bits=23)',
    events: events('ip=10.0.15.200'),
    rows: events('ip=10.0.15.200 _subnet=10.0.14.0/23'),
  },
  'parseTimestamp() puts a date without a year less than 8 days ahead': {
    query: 'parseTimestamp("MMM dd HH:mm:ss", field=t, timezone=Z) | select(@timestamp)',
    events: [{ t: 'Mar 18 00:00:00' }, { t: 'Mar 18 07:00:00' }],
    rows: [Date.UTC(2024, 2, 18, 7), Date.UTC(2025, 2, 18)].map((time) => ({ '@timestamp': String(time) })),
    options: { now: Date.UTC(2025, 2, 10, 6) },
  },
  'lookup() accepts its fields as "on"': {
    query: 'lookup("banks.csv", on=[prefix])',
    events: events('prefix=12', 'prefix=99'),
    rows: events('prefix=99', 'prefix=12 bank=B'),
    options: { library: { files: { 'banks.csv': ['prefix,bank', '12,B'] } } },
  },
  'replace() does not count nothing after a match as another match': {
    query: 'replace("[a-c]*$", with="x", field=f)',
    events: events('f=abc'),
    rows: events('f=x'),
  },
  'array:reduceRow() writes the output field of its function': {
    query: 'array:reduceRow("ages[]", var=x, function=avg(x))',
    events: events('ages[0]=15 ages[1]=30 ages[2]=45'),
    rows: events('ages[0]=15 ages[1]=30 ages[2]=45 _avg=30'),
  },
  'split() adds two underscores and the index to @id': {
    query: 'split(a) | select([@id, a])',
    events: events('@id=e a[0]=x a[1]=y'),
    rows: events('@id=e__1 a=y', '@id=e__0 a=x'),
  },
  'math:mod() rounds both numbers down first': {
    query: 'math:mod(a, divisor=3)',
    events: events('a=7.8'),
    rows: events('a=7.8 _mod=1'),
  },
};

test.each(Object.entries(EXAMPLES))('%s', (_fact, { query, events: input, rows, options }) => {
  expect(rowsOf(query, input, options)).toEqual(rows);
});

test('geography:distance() between London and Tokyo matches the documented sample', () => {
  const [row] = rowsOf('geography:distance(lat1=a, lon1=b, lat2=c, lon2=d)', [
    { a: '51.507222', b: '-0.1275', c: '35.689722', d: '139.692222' },
  ]);
  expect(Number(row?._distance)).toBeCloseTo(9558729.514524894, 6);
});

test('tokenHash() returns 8 hexadecimal digits that do not depend on word order', () => {
  const [row] = rowsOf('x := tokenHash(a) | y := tokenHash(b) | z := tokenHash(c)', [
    { a: 'the quick fox', b: 'fox the  quick', c: 'the-quick fox' },
  ]);
  expect(row?.x).toMatch(/^[0-9a-f]{8}$/);
  expect(row?.y).toBe(row?.x);
  expect(row?.z).not.toBe(row?.x);
});

const PAGE = readFileSync(new URL('../../docs/query-language.md', import.meta.url), 'utf8');
const BACKSLASHES = [...PAGE.matchAll(/^\| `(.+)` \| (yes|no)\b/gm)];

test('docs/query-language.md says which spellings of a backslash find a path', () => {
  const found = BACKSLASHES.map(
    ([, query]) => rowsOf(query!, [{ f: String.raw`C:\Users\a\net.exe` }]).length > 0,
  );
  expect(found).toEqual(BACKSLASHES.map(([, , answer]) => answer === 'yes'));
  expect(found).toHaveLength(6);
});
