import { expect, test } from 'vitest';
import { QueryError } from '../../src/query-engine/index.ts';
import { QuerySyntaxError } from '../../src/query-language/index.ts';
import { refusalOf } from './run-query.ts';

/** What is wrong with a query whose guilty part stands between « and ». */
const REFUSALS: Readonly<Record<string, string>> = {
  // Functions.
  '«cuont»()': 'There is no function "cuont". Did you mean "count"?',
  'x := «cuont»()': 'There is no function "cuont". Did you mean "count"?',
  '«remoteTable»(connection="c", name="t", include=[a], query={*})':
    'The function "remoteTable" is not supported by the local server: it reads a table over a connection configured on the service',
  'count() | «appendAggregation»(count())':
    'The function "appendAggregation" is not supported by the local server: it stores results on the service',
  '«readPersistedAggregation»("t")':
    'The function "readPersistedAggregation" is not supported by the local server: it reads results stored on the service',

  // Aggregates.
  '«accumulate(count())»':
    'accumulate() needs rows in an order: put an aggregate function such as head() or sort() before it',
  'groupBy(a, function=«neighbor(b)»)':
    'neighbor() needs rows in an order: put an aggregate function such as head() or sort() before it',
  'a=1 | [count(), «partition(count(), condition={b=1})»]':
    'partition() needs rows in an order: put an aggregate function such as head() or sort() before it',
  'head() | «slidingWindow(count())»':
    'slidingWindow() needs the parameter "events": an integer from 1 to 1000',
  'head() | slidingWindow(count(), events=«1001»)':
    'The parameter "events" of slidingWindow() must be an integer from 1 to 1000, but is 1001',
  'head() | slidingTimeWindow(count(), span=«soon»)':
    'The parameter "span" of slidingTimeWindow() must be a duration such as 5m or 1day, but is soon',
  'head() | neighbor(a, direction=«up»)':
    'The parameter "direction" of neighbor() must be one of preceding, succeeding, but is up',
  '«window(count(), buckets=2)»':
    'window() can only stand in the argument "function" of timeChart() or bucket()',
  'timeChart(function=groupBy(a, function=«window(buckets=2)»))':
    'window() can only stand in the argument "function" of timeChart() or bucket()',
  'timeChart(function=«window(count())»)': 'window() needs either "span" or "buckets"',
  'timeChart(limit=«5.5»)':
    'The parameter "limit" of timeChart() must be an integer from 1 to 500, or max, but is 5.5',
  'callFunction(«lower», field=a)': 'callFunction() can call avg, count, max, min, range, sum, but not lower',
  'transpose(«a», header=b)': 'transpose() takes either "pivot", or "header" and "column"',
  'series(a, memlimit=«lots»)':
    'The parameter "memlimit" of series() must be a number of bytes such as 512, 10KiB or 2MB, but is lots',
  '«correlate(a: {x=1})»': 'correlate() needs two queries or more',
  'correlate(«{x=1}», b: {x=2})':
    'The parameter "queries" of correlate() must be named queries such as login: { action=login } include: [user], but is {x=1}',
  '«correlate(a: {x=1}, a: {x=2})»': 'correlate() has two queries "a"',
  '«correlate(a: {x=1}, b: {x=2 | y <=> c.y})»': 'correlate() has no query to which "c.y" belongs',
  'correlate(a: {x=1}, b: {x=2}, «root=c»)': 'correlate() has no query "c"',
  'correlate(a: {x=1}, b: {«count()»})':
    "An aggregate function can't stand inside correlate { … }: put it after the braces",
  'correlate(a: {x=1} «exclude: y», b: {x=2})':
    'A query in correlate() has no attribute "exclude", only include',
  '«$saved(x=1)»': 'There is no saved query "saved": there is none at all',

  // Arguments.
  'head(«limt»=5)': 'head() has no parameter "limt". Did you mean "limit"?',
  'head(«nothing_like_it»=5)': 'head() has no parameter "nothing_like_it", only limit',
  'head(«constructor»=5)': 'head() has no parameter "constructor", only limit',
  'fieldset(«a»)': 'fieldset() takes no arguments',
  'fieldset(«a»=1)': 'fieldset() has no parameter "a": it takes no arguments',
  'setField(«a»)': 'setField() takes no unnamed argument, only target, value',
  '«sum()»': 'sum() needs the parameter "field": a field name',
  'sum(a, «b»)': 'sum() is given "field" twice; the others must be named, as in name=value',
  'a =~ in(«a», values=[1])': 'in() is given "field" twice; the others must be named, as in name=value',
  'head(limit=1, «limit=2»)': 'head() is given "limit" twice',
  'x := count(«as=y»)': 'count() is given "as" twice',
  'head(«many»)': 'The parameter "limit" of head() must be an integer from 1 to 200000, or max, but is many',
  'head(«0»)': 'The parameter "limit" of head() must be an integer from 1 to 200000, or max, but is 0',
  'head(«-1»)': 'The parameter "limit" of head() must be an integer from 1 to 200000, or max, but is -1',
  'head(«?n»)':
    'The parameter "limit" of head() must be an integer from 1 to 200000, or max, but ?n has no value',
  'count(a, distinct=«maybe»)': 'The parameter "distinct" of count() must be true or false, but is maybe',
  'sort(a, order=«up»)':
    'The parameter "order" of sort() must be asc or desc or an array of these, but is up',
  'sort(a, type=«[number, date]»)':
    'The parameter "type" of sort() must be one of number, string, hex, any or an array of these, but is [number, date]',
  'sort([a,b,c], «order=[asc,desc]»)': '"order" must be one value, or as many as there are fields (3)',
  'timeChart(span=«soon»)':
    'The parameter "span" of timeChart() must be auto or a duration such as 5m or 1day, but is soon',
  'timeChart(span=«0s»)':
    'The parameter "span" of timeChart() must be auto or a duration such as 5m or 1day, but is 0s',
  'timeChart(timezone=«"Mars"»)':
    'The parameter "timezone" of timeChart() must be a time zone such as "Europe/Copenhagen", "UTC" or "+02:00", but is "Mars"',
  'timeChart(«unit="x/y/z to x"»)': '"x/y/z to x" is no conversion such as "bytes/span to Kbytes/day"',
  'timeChart(«unit=["a","b"]»)': '"unit" must be one text, or as many as there are functions (1)',
  'count(«distinct=true»)': 'count(distinct=true) needs a field',
  '«rename(a)»': 'rename() needs the parameter "as": the new name',
  'rename([[a,b]], «as=c»)': 'rename() takes either pairs of names or one field with "as"',
  'rename(«[[a,b,c]]»)':
    'The parameter "field" of rename() must be a field name or an array such as [[old, new], [old, new]], but is [[a,b,c]]',
  'percentile(a, «percentiles=[101]»)': 'Percentiles lie between 0 and 100',
  'percentile(a, «accuracy=0»)': 'The accuracy lies between 0.000001 and 1',
  'top(a, sum=b, «max=c»)': 'top() ranks by "sum" or by "max", not by both',
  'kvParse(«separator=""»)': 'kvParse() needs a separator of at least one character',
  '«formatTime("%F")»': 'formatTime() needs the parameter "as": the field to write',
  'x := formatTime(«"%K"»)': 'formatTime() knows no %K',
  'format(«"%q"», field=a)': 'The format can\'t be used: "%q" is no format; write %% for a percent sign',
  'replace("a", «with="$2"»)': 'The replacement refers to a group that the regular expression does not have',
  'replace("a", «with="$x"»)':
    'A $ in a replacement must be followed by the number of a group, or written \\$',
  'lower(a, locale=«"not a locale"»)':
    'The parameter "locale" of lower() must be a locale such as en_US, but is "not a locale"',

  // Functions for arrays, fields and numbers.
  'array:contains(«"a[].b[]"», value=1)':
    'The parameter "array" of array:contains() must be an array name such as "items[]", but is "a[].b[]"',
  '«array:contains("a[]")»': 'array:contains() needs the parameter "value": a string',
  'array:exists("a[]", condition=«x»)':
    'The parameter "condition" of array:exists() must be a filter: a call such as in(…), or steps in { … }, but is x',
  'array:filter("a[]", var=x, function={ «count()» })':
    "An aggregate function can't stand inside function { … }: put it after the braces",
  'array:eval("a[]", function=«1»)':
    'The parameter "function" of array:eval() must be a function, or steps in { … }, but is 1',
  'objectArray:eval("a[]", «asArray="a[]"», function={ a := 1 })':
    'objectArray:eval() can\'t write over the array that it reads: "asArray" must be another',
  'objectArray:exists("a[]", «var="x.y"», condition={ x.y=1 })':
    '"var" must be a plain name, without dots and brackets',
  'array:reduceAll("a[]", var=x, function=«lower»(x))':
    'lower() is no aggregate function: put it before the aggregate, or with one into { … }',
  'array:sort("a[]", type=«any»)':
    'The parameter "type" of array:sort() must be one of string, number, but is any',
  'concatArray(a, from=2, «to=1»)': 'concatArray() needs a "to" that is not less than "from"',
  'bitfield:extractFlags(field=a, output=«[[64, x]]»)':
    'The parameter "output" of bitfield:extractFlags() must be an array of unique [bit, name] pairs with bits from 0 to 63, such as [[0, READ], [3, WRITE]], but is [[64, x]]',
  'bitfield:extractFlags(field=a, output=«[[1, x], [2, x]]»)':
    'The parameter "output" of bitfield:extractFlags() must be an array of unique [bit, name] pairs with bits from 0 to 63, such as [[0, READ], [3, WRITE]], but is [[1, x], [2, x]]',
  'parseInt(a, radix=10, «endian=little»)':
    'parseInt() can read the lowest byte first with the radix 2 or 16 only',
  'hashRewrite(a, salt=s, «bits=12»)': '"bits" must be a multiple of 8, but is 12',
  'hashRewrite(a, salt=s, «bits=512»)': 'sha256 has 256 bits; for more, set hash=sha512',
  'base64Decode(a, charset=«"UTF-7"»)':
    'The parameter "charset" of base64Decode() must be one of UTF-8, UTF-16LE, UTF-16BE, ISO-8859-1, but is "UTF-7"',
  'unit:convert(a, «to="B/fortnight"»)':
    'unit:convert() can\'t read the unit "B/fortnight": write it as B, MB, Gi or hits/min',
  'duration(«"2 moons"»)':
    'The parameter "duration" of duration() must be a duration such as 5m or 1day, but is "2 moons"',
  'formatDuration(a, from=«w»)':
    'The parameter "from" of formatDuration() must be one of ns, us, ms, s, m, h, d, but is w',
  '«math:pow(a)»': 'math:pow() needs the parameter "exponent": a number or a field name',
  'text:editDistance(target=a, reference=b, maxDistance=«-1»)':
    'The parameter "maxDistance" of text:editDistance() must be an integer from 0 to 1000, but is -1',
  '«eventInternals»()':
    'The function "eventInternals" is not supported by the local server: it shows how the service stores an event',

  // Parsing, addresses and time.
  'cidr(a, «subnet=["10.0.0.0/33"]»)': '"10.0.0.0/33" is no subnet such as "10.0.0.0/8" or "fd00::/8"',
  'cidr(a, «subnet="*"»)': '"*" is no subnet such as "10.0.0.0/8" or "fd00::/8"',
  '«cidr(a)»': 'cidr() needs "subnet", or "file" and "column"',
  'cidr(a, «file="x.csv"»)': 'cidr() needs "column": the column of the file',
  'cidr(a, subnet="::/0", «column=x»)': '"column" belongs to "file"',
  'cidr(a, «file="x.csv"», column=x)': 'There is no lookup file "x.csv": there is none at all',
  'subnet(a, bits=«33»)': 'The parameter "bits" of subnet() must be an integer from 0 to 32, but is 33',
  'ioc:lookup(a, type=«hash»)':
    'The parameter "type" of ioc:lookup() must be one of ip_address, domain, url, but is hash',
  'ioc:lookup(a, type=url, confidenceThreshold=«?c»)':
    'The parameter "confidenceThreshold" of ioc:lookup() must be one of unverified, low, medium, high, but ?c has no value',
  '«worldMap()»': 'worldMap() needs "ip", or "lat" and "lon": the fields that tell where events are',
  'worldMap(«ip=a», lat=b, lon=c)': 'worldMap() takes "ip", or "lat" and "lon"',
  'geohash(precision=«13»)':
    'The parameter "precision" of geohash() must be an integer from 1 to 12, but is 13',
  '«sankey(source=a)»': 'sankey() needs the parameter "target": a field name',
  'sankey(source=a, target=b, weight=«c»)':
    'The parameter "weight" of sankey() must be an aggregate function, an array of these, or { … } with one inside, but is c',
  'sample(«101»)': 'The percentage lies between 0 and 100',
  'hashMatch(a, salt=s, «bits=512»)': 'sha256 has 256 bits; for more, set hash=sha512',
  'parseTimestamp(«"YYYY-MM-dd"», field=a)':
    "The format can't be used: Y is the year of a week; the year of a date is y",
  'parseTimestamp(«format="yyyy-MM-ddTHH:mm"», field=a)':
    "The format can't be used: the letter T has no meaning here, write 'T' in quotes for the letter itself",
  'parseTimestamp(«"HH:mm:ss"», field=a)':
    "The format can't be used: it has no day: that takes a month (M) with a day (d), or a day of the year (D)",
  'parseTimestamp(«"dd MM hh:mm"», field=a)':
    "The format can't be used: an hour of half a day (h) needs am or pm (a); H is the hour of the day",
  'parseTimestamp(«"dd/MM[/yy"», field=a)': "The format can't be used: a [ has no ] after it",
  'parseTimestamp(«"dd/MM]/yy"», field=a)': "The format can't be used: a ] has no [ before it",
  '«parseTimestamp("millis")»': 'parseTimestamp() needs the parameter "field": a field name',
  'parseTimestamp(field=a, timezone=«"Mars"»)':
    'The parameter "timezone" of parseTimestamp() must be a time zone such as "Europe/Copenhagen", "UTC" or "+02:00", but is "Mars"',
  'parseCsv(columns=a, «delimiter=""»)': 'parseCsv() needs a delimiter that is no quote and no line break',
  'parseFixedWidth(columns=[a,b], «widths=[1]»)': '"widths" must be as many as there are columns (2)',
  'parseLEEF(«delimiter=""»)': 'parseLEEF() needs a delimiter of at least one character',
  'not «ipLocation»(a)': 'ipLocation() is no filter: it can\'t stand under "or" or "not" or in a condition',

  // Regular expressions.
  'a=«/(/»': "The regular expression can't be used: a group is not closed, at character 1",
  'regex(«"["»)': "The regular expression can't be used: a [ is not closed, at character 1",
  'splitString(«by="x\\\\y"»)': "The regular expression can't be used: \\y is not supported, at character 2",
  'regex(«/a/g»)': 'regex() takes repeat=true instead of the flag g',
  'regex("a", flags=«g»)':
    'The parameter "flags" of regex() must be any of the letters i, m, d and F, but is g',
  'a=«/(?<x>1)/» or b=1':
    'A regular expression with named groups can only stand at the top of a step, joined with "and": under "or", "not" and in conditions it can\'t create fields',
  'not «/(?<x>1)/»':
    'A regular expression with named groups can only stand at the top of a step, joined with "and": under "or", "not" and in conditions it can\'t create fields',
  '«regex("(?<x>1)")» or b=1':
    'regex() makes fields or events here, so that it can only stand at the top of a step, joined with "and": under "or" and in conditions it can\'t change events',

  // Things in places where they can't stand.
  'case { a=1 | «count()» }': "An aggregate function can't stand inside case { … }: put it after the braces",
  'a match { 1 => «count()» }':
    "An aggregate function can't stand inside match { … }: put it after the braces",
  'not «count»()': 'count() is no filter: it can\'t stand under "or" or "not" or in a condition',
  'a=1 or «lower»(b)': 'lower() is no filter: it can\'t stand under "or" or "not" or in a condition',
  'x := 1 + «max»(a)':
    'max() is an aggregate: it makes a result of all events and has no value for a single one',
  'x := 1 + «drop»(a)': 'drop() has no single value: it can only stand as a step of its own',
  'x := «drop»(a)': 'drop() has no single value: it can only stand as a step of its own',
  'a =~ «now»()': 'now() has no parameter "field", so =~ can\'t be used with it',
  'groupBy(a, function=«lower»(b))':
    'lower() is no aggregate function: put it before the aggregate, or with one into { … }',
  'groupBy(a, function=«count»)':
    'The parameter "function" of groupBy() must be an aggregate function, an array of these, or { … } with one inside, but is count',
  'groupBy(a, function=«{ b=1 }»)': 'There must be an aggregate function between these braces',
  '[x := «head(1)»]': 'head() has no parameter "as", so := can\'t name its output',
  '[x := «1»]': 'Only aggregate functions such as count() can stand here',
  'test(«[a]»)': 'The parameter "expression" of test() must be an expression, but is [a]',
  'x := «[a]»': 'An array has no single value: it can only be an argument of a function',
  'test({«x := 1»})': 'Only filters can stand in a condition',
  'a > «?n»': '> needs a number, but ?n has no value',
  '«a <=> b»':
    'The operator <=> links the queries of correlate(), and can stand only there, joined with "and"',
};

test.each(Object.entries(REFUSALS))('refuses %s', (marked, problem) => {
  const [before = '', place = '', after = ''] = marked.split(/[«»]/);
  const error = refusalOf(before + place + after) as QueryError;
  expect(error).toBeInstanceOf(QueryError);
  expect(error.message).toBe(`${problem} (line 1, column ${before.length + 1})`);
  expect(error.span).toEqual({ start: before.length, end: before.length + place.length });
  expect(error.column).toBe(before.length + 1);
  expect(error.code).toBe('LOG_QUERY_INVALID');
});

test('draws a caret below the place', () => {
  const error = refusalOf('status=500\n| cuont(a)');
  expect(String(error)).toBe(
    'QueryError: There is no function "cuont". Did you mean "count"? (line 2, column 3)\n' +
      '2 | | cuont(a)\n' +
      '  |   ^^^^^',
  );
});

test('an argument that is no number is shown where one is needed', () => {
  const error = refusalOf('a > ?n', { arguments: { n: 'x' } });
  expect(error.message).toBe('> needs a number, but ?n is "x" (line 1, column 5)');
});

test('a query that can not be parsed is refused by the parser', () => {
  expect(refusalOf('a = ')).toBeInstanceOf(QuerySyntaxError);
});
