import { expect, test } from 'vitest';
import { QueryError } from '../../src/engine/index.ts';
import { QuerySyntaxError } from '../../src/language/index.ts';
import { refusalOf } from './run-query.ts';

/** Errors by query; « and » enclose the position. */
const REFUSALS: Readonly<Record<string, string>> = {
  // Functions.
  '«cuont»()': 'There is no function "cuont". Did you mean "count"?',
  'x := «cuont»()': 'There is no function "cuont". Did you mean "count"?',
  '«remoteTable»(connection="c", name="t", include=[a], query={*})':
    'The function "remoteTable" is not supported by the local server',
  '«readPersistedAggregation»("t")':
    'The function "readPersistedAggregation" is not supported by the local server',

  // Aggregates.
  '«accumulate(count())»':
    'accumulate() needs ordered rows: put an aggregate function such as head() or sort() before it',
  'groupBy(a, function=«neighbor(b)»)':
    'neighbor() needs ordered rows: put an aggregate function such as head() or sort() before it',
  'a=1 | [count(), «partition(count(), condition={b=1})»]':
    'partition() needs ordered rows: put an aggregate function such as head() or sort() before it',
  'head() | «slidingWindow(count())»':
    'slidingWindow() needs the parameter "events": an integer from 1 to 1000',
  'head() | slidingWindow(count(), events=«1001»)':
    '"events" of slidingWindow() must be an integer from 1 to 1000 (got 1001)',
  'head() | slidingTimeWindow(count(), span=«soon»)':
    '"span" of slidingTimeWindow() must be a duration such as 5m or 1day (got soon)',
  'head() | neighbor(a, direction=«up»)':
    '"direction" of neighbor() must be one of preceding, succeeding (got up)',
  '«window(count(), buckets=2)»':
    'window() is only allowed in the argument "function" of timeChart() or bucket()',
  'timeChart(function=groupBy(a, function=«window(buckets=2)»))':
    'window() is only allowed in the argument "function" of timeChart() or bucket()',
  'timeChart(function=«window(count())»)': 'window() needs either "span" or "buckets"',
  'timeChart(limit=«5.5»)': '"limit" of timeChart() must be an integer from 1 to 500, or max (got 5.5)',
  'callFunction(«lower», field=a)': 'callFunction() can call avg, count, max, min, range, sum, but not lower',
  'transpose(«a», header=b)': 'transpose() accepts either "pivot", or "header" and "column"',
  'series(a, memlimit=«lots»)':
    '"memlimit" of series() must be a number of bytes such as 512, 10KiB or 2MB (got lots)',
  '«correlate(a: {x=1})»': 'correlate() needs at least two queries',
  'correlate(«{x=1}», b: {x=2})':
    '"queries" of correlate() must be named queries such as login: { action=login } include: [user] (got {x=1})',
  '«correlate(a: {x=1}, a: {x=2})»': 'correlate() has two queries named "a"',
  '«correlate(a: {x=1}, b: {x=2 | y <=> c.y})»': 'correlate() has no query for the field "c.y"',
  'correlate(a: {x=1}, b: {x=2}, «root=c»)': 'correlate() has no query "c"',
  'correlate(a: {x=1}, b: {x=2}, «aggregation=count()»)':
    'correlate(aggregation=…) is not supported by the local server',
  'correlate(a: {x=1}, b: {«count()»})':
    'An aggregate function is not allowed inside correlate { … }: put it after the braces',
  'correlate(a: {x=1} «exclude: y», b: {x=2})':
    'A query in correlate() has no attribute "exclude", only include',
  '«$saved(x=1)»': 'There is no saved query "saved" (none exist)',

  // Arguments.
  'head(«limt»=5)': 'head() has no parameter "limt". Did you mean "limit"?',
  'head(«nothing_like_it»=5)': 'head() has no parameter "nothing_like_it", only limit',
  'head(«constructor»=5)': 'head() has no parameter "constructor", only limit',
  'fieldset(«a»)': 'fieldset() accepts no arguments',
  'fieldset(«a»=1)': 'fieldset() has no parameter "a": it accepts no arguments',
  'setField(«a»)': 'setField() accepts no unnamed argument, only target, value',
  '«sum()»': 'sum() needs the parameter "field": a field name',
  'sum(a, «b»)': 'sum() has "field" twice; name the other arguments: as=…',
  'a =~ in(«a», values=[1])': 'in() has "field" twice; name the other arguments: values=…, ignoreCase=…',
  'head(limit=1, «limit=2»)': 'head() has "limit" twice',
  'x := count(«as=y»)': 'count() has "as" twice',
  'head(«many»)': '"limit" of head() must be an integer from 1 to 200000, or max (got many)',
  'head(«0»)': '"limit" of head() must be an integer from 1 to 200000, or max (got 0)',
  'head(«-1»)': '"limit" of head() must be an integer from 1 to 200000, or max (got -1)',
  'head(«?n»)': '"limit" of head() must be an integer from 1 to 200000, or max (?n has no value)',
  'count(a, distinct=«maybe»)': '"distinct" of count() must be true or false (got maybe)',
  'sort(a, order=«up»)': '"order" of sort() must be asc or desc or an array of these (got up)',
  'sort(a, type=«[number, date]»)':
    '"type" of sort() must be one of number, string, hex, any or an array of these (got [number, date])',
  'sort([a,b,c], «order=[asc,desc]»)': '"order" must be one value, or one per field (3)',
  'timeChart(span=«soon»)': '"span" of timeChart() must be auto or a duration such as 5m or 1day (got soon)',
  'timeChart(span=«0s»)': '"span" of timeChart() must be auto or a duration such as 5m or 1day (got 0s)',
  'timeChart(timezone=«"Mars"»)':
    '"timezone" of timeChart() must be a time zone such as "Europe/Copenhagen", "UTC" or "+02:00" (got "Mars")',
  'timeChart(«unit="x/y/z to x"»)': '"x/y/z to x" is not a conversion such as "bytes/span to Kbytes/day"',
  'timeChart(«unit=["a","b"]»)': '"unit" must be one string, or one per function (1)',
  'count(«distinct=true»)': 'count(distinct=true) needs a field',
  '«rename(a)»': 'rename() needs the parameter "as": the new name',
  'rename([[a,b]], «as=c»)': 'rename() accepts either pairs of names or one field with "as"',
  'rename(«[[a,b,c]]»)':
    '"field" of rename() must be a field name or an array such as [[old, new], [old, new]] (got [[a,b,c]])',
  'percentile(a, «percentiles=[101]»)': 'Percentiles must be between 0 and 100',
  'percentile(a, «accuracy=0»)': 'The accuracy must be between 0.000001 and 1',
  'top(a, sum=b, «max=c»)': `"sum" and "max" of top() can't be combined`,
  'kvParse(«separator=""»)': 'kvParse() needs a separator of at least one character',
  '«formatTime("%F")»': 'formatTime() needs the parameter "as": the field to write',
  'x := formatTime(«"%K"»)': 'formatTime() does not support %K',
  'format(«"%q"», field=a)': 'Invalid format: "%q" is not a format; write %% for a percent sign',
  'replace("a", «with="$2"»)': 'The replacement refers to a group that the regular expression does not have',
  'replace("a", «with="$x"»)':
    'In a replacement, $ must be followed by a group number; write a literal $ as \\$',
  'lower(a, locale=«"not a locale"»)':
    '"locale" of lower() must be a locale such as en_US (got "not a locale")',

  // Functions for arrays, fields and numbers.
  'array:contains(«"a[].b[]"», value=1)':
    '"array" of array:contains() must be an array name such as "items[]" (got "a[].b[]")',
  '«array:contains("a[]")»': 'array:contains() needs the parameter "value": a string',
  'array:exists("a[]", condition=«x»)':
    '"condition" of array:exists() must be a filter: a call such as in(…), or steps in { … } (got x)',
  'array:filter("a[]", var=x, function={ «count()» })':
    'An aggregate function is not allowed inside function { … }: put it after the braces',
  'array:eval("a[]", function=«1»)':
    '"function" of array:eval() must be a function, or steps in { … } (got 1)',
  'objectArray:eval("a[]", «asArray="a[]"», function={ a := 1 })':
    'objectArray:eval() can\'t overwrite the array that it reads: set "asArray" to another name',
  'objectArray:exists("a[]", «var="x.y"», condition={ x.y=1 })':
    '"var" must be a plain name, without dots and brackets',
  'array:reduceAll("a[]", var=x, function=«lower»(x))':
    'lower() is not an aggregate function: put it before the aggregate, or together with one in { … }',
  'array:sort("a[]", type=«any»)': '"type" of array:sort() must be one of string, number (got any)',
  'concatArray(a, from=2, «to=1»)': '"to" of concatArray() must not be less than "from"',
  'bitfield:extractFlags(field=a, output=«[[64, x]]»)':
    '"output" of bitfield:extractFlags() must be an array of unique [bit, name] pairs with bits from 0 to 63, such as [[0, READ], [3, WRITE]] (got [[64, x]])',
  'bitfield:extractFlags(field=a, output=«[[1, x], [2, x]]»)':
    '"output" of bitfield:extractFlags() must be an array of unique [bit, name] pairs with bits from 0 to 63, such as [[0, READ], [3, WRITE]] (got [[1, x], [2, x]])',
  'parseInt(a, radix=10, «endian=little»)': 'parseInt() supports endian=little only with radix 2 or 16',
  'hashRewrite(a, salt=s, «bits=12»)': '"bits" must be a multiple of 8 (got 12)',
  'hashRewrite(a, salt=s, bits=«512»)': '"bits" of hashRewrite() must be an integer from 8 to 256 (got 512)',
  'base64Decode(a, charset=«"UTF-7"»)':
    '"charset" of base64Decode() must be one of UTF-8, UTF-16LE, UTF-16BE, ISO-8859-1 (got "UTF-7"). Write UTF-8',
  'unit:convert(a, «to="B/fortnight"»)':
    'unit:convert() does not know the unit "B/fortnight": write a unit such as B, MB, Gi or hits/min',
  'duration(«"2 moons"»)': '"duration" of duration() must be a duration such as 5m or 1day (got "2 moons")',
  'formatDuration(a, from=«w»)': '"from" of formatDuration() must be one of ns, us, ms, s, m, h, d (got w)',
  '«math:pow(a)»': 'math:pow() needs the parameter "exponent": a number or a field name',
  'text:editDistance(target=a, reference=b, maxDistance=«-1»)':
    '"maxDistance" of text:editDistance() must be an integer from 0 to 1000 (got -1)',
  'name := «rdns»(ip)': 'There is no function "rdns". Did you mean "reverseDns"?',
  '«eventInternals»()': 'The function "eventInternals" is not supported by the local server',

  // Parsing, addresses and time.
  'cidr(a, «subnet=["10.0.0.0/33"]»)': '"10.0.0.0/33" is not a subnet such as "10.0.0.0/8" or "fd00::/8"',
  'cidr(a, «subnet="*"»)': '"*" is not a subnet such as "10.0.0.0/8" or "fd00::/8"',
  '«cidr(a)»': 'cidr() needs "subnet", or "file" and "column"',
  'cidr(a, «file="x.csv"»)': 'cidr() needs "column": the column of the file',
  'cidr(a, subnet="::/0", «column=x»)': '"column" requires "file"',
  'cidr(a, «file="x.csv"», column=x)': 'There is no lookup file "x.csv" (none exist)',
  'subnet(a, bits=«33»)': '"bits" of subnet() must be an integer from 0 to 32 (got 33)',
  'ioc:lookup(a, type=«hash»)': '"type" of ioc:lookup() must be one of ip_address, domain, url (got hash)',
  'ioc:lookup(a, type=url, confidenceThreshold=«?c»)':
    '"confidenceThreshold" of ioc:lookup() must be one of unverified, low, medium, high (?c has no value)',
  '«worldMap()»': 'worldMap() needs "ip", or "lat" and "lon": the fields with the location',
  'worldMap(«ip=a», lat=b, lon=c)': 'worldMap() accepts either "ip", or "lat" and "lon"',
  'geohash(precision=«13»)': '"precision" of geohash() must be an integer from 1 to 12 (got 13)',
  '«sankey(source=a)»': 'sankey() needs the parameter "target": a field name',
  'sankey(source=a, target=b, weight=«c»)':
    '"weight" of sankey() must be an aggregate function, an array of aggregate functions, or { … } containing one (got c)',
  'sample(«101»)': 'The percentage must be between 0 and 100',
  'hashMatch(a, salt=s, bits=«512»)': '"bits" of hashMatch() must be an integer from 8 to 256 (got 512)',
  'parseTimestamp(«"YYYY-MM-dd"», field=a)':
    'Invalid format: Y is the week-based year; use y for the calendar year',
  'parseTimestamp(«format="yyyy-MM-ddTHH:mm"», field=a)':
    "Invalid format: the letter T is not part of a format; for a literal T, write 'T' in single quotes",
  'parseTimestamp(«"HH:mm:ss"», field=a)':
    'Invalid format: it has no date: use a month (M) and a day (d), or a day of the year (D)',
  'parseTimestamp(«"dd MM hh:mm"», field=a)':
    'Invalid format: the 12-hour clock (h) needs am or pm (a); use H for the 24-hour clock',
  'parseTimestamp(«"dd/MM[/yy"», field=a)': 'Invalid format: a [ has no matching ]',
  'parseTimestamp(«"dd/MM]/yy"», field=a)': 'Invalid format: a ] has no matching [',
  '«parseTimestamp("millis")»': 'parseTimestamp() needs the parameter "field": a field name',
  'parseTimestamp(field=a, timezone=«"Mars"»)':
    '"timezone" of parseTimestamp() must be a time zone such as "Europe/Copenhagen", "UTC" or "+02:00" (got "Mars")',
  'parseCsv(columns=a, «delimiter=""»)': 'parseCsv() needs a delimiter other than a quote or a newline',
  'parseFixedWidth(columns=[a,b], «widths=[1]»)': '"widths" must have one number per column (2)',
  'parseLEEF(«delimiter=""»)': 'parseLEEF() needs a delimiter of at least one character',
  'not «ipLocation»(a)':
    'ipLocation() is not a filter: it is not allowed under "or" or "not" or in a condition',

  // Regular expressions.
  'a=«/(/»': 'Invalid regular expression: a group is not closed, at character 1',
  'regex(«"["»)': 'Invalid regular expression: a [ is not closed, at character 1',
  'splitString(«by="x\\\\y"»)':
    'Invalid regular expression: \\y is not supported; a \\ is \\\\, at character 2',
  'regex(«/a/g»)': 'regex() does not support the flag g: use repeat=true',
  'regex("a", flags=«g»)': '"flags" of regex() must be any of the letters i, m, d and F (got g)',
  'a=«/(?<x>1)/» or b=1':
    'A regular expression with named groups is only allowed at the top level of a step, joined with "and": under "or" and "not" and in conditions, it can\'t create fields',
  'not «/(?<x>1)/»':
    'A regular expression with named groups is only allowed at the top level of a step, joined with "and": under "or" and "not" and in conditions, it can\'t create fields',
  '«regex("(?<x>1)")» or b=1':
    'regex() changes events here, so it is only allowed at the top level of a step, joined with "and"',

  // Syntax in the wrong place.
  'case { a=1 | «count()» }':
    'An aggregate function is not allowed inside case { … }: put it after the braces',
  'a match { 1 => «count()» }':
    'An aggregate function is not allowed inside match { … }: put it after the braces',
  'not «count»()': 'count() is not a filter: it is not allowed under "or" or "not" or in a condition',
  'a=1 or «lower»(b)': 'lower() is not a filter: it is not allowed under "or" or "not" or in a condition',
  'x := 1 + «max»(a)': 'max() is an aggregate function: it has no value for a single event',
  'x := 1 + «drop»(a)': 'drop() returns no value: use it as a separate step',
  'x := «drop»(a)': 'drop() returns no value: use it as a separate step',
  'a =~ «now»()': 'now() has no parameter "field", so =~ can\'t be used with it',
  'groupBy(a, function=«lower»(b))':
    'lower() is not an aggregate function: put it before the aggregate, or together with one in { … }',
  'groupBy(a, function=«count»)':
    '"function" of groupBy() must be an aggregate function, an array of aggregate functions, or { … } containing one (got count). Write count()',
  'groupBy(a, function=«{ b=1 }»)': '{ … } must contain an aggregate function',
  '[x := «head»(1)]': 'head() has no parameter "as", so := can\'t be used with it',
  '[x := «1»]': 'Only aggregate functions such as count() are allowed here',
  'test(«[a]»)': '"expression" of test() must be an expression (got [a])',
  'x := «[a]»': 'An array is only allowed as a function argument',
  'test({«x := 1»})': 'Only filters are allowed in a condition',
  'a > «?n»': '> needs a number, but ?n has no value',
  '«a <=> b»':
    'The operator <=> links the queries of correlate() and is only allowed there, joined with "and"',
};

test.each(Object.entries(REFUSALS))('%s is rejected', (marked, problem) => {
  const [before = '', place = '', after = ''] = marked.split(/[«»]/);
  const error = refusalOf(before + place + after) as QueryError;
  expect(error).toBeInstanceOf(QueryError);
  expect(error.message).toBe(`${problem} (line 1, column ${before.length + 1})`);
  expect(error.span).toEqual({ start: before.length, end: before.length + place.length });
  expect(error.column).toBe(before.length + 1);
  expect(error.code).toBe('LOG_QUERY_INVALID');
});

test('an error marks its place with a caret', () => {
  const error = refusalOf('status=500\n| cuont(a)');
  expect(String(error)).toBe(
    'QueryError: There is no function "cuont". Did you mean "count"? (line 2, column 3)\n' +
      '2 | | cuont(a)\n' +
      '  |   ^^^^^',
  );
});

test('an error marks the argument that must be a number', () => {
  const error = refusalOf('a > ?n', { arguments: { n: 'x' } });
  expect(error.message).toBe('> needs a number, but ?n is "x" (line 1, column 5)');
});

test('a query with a syntax error is rejected by the parser', () => {
  expect(refusalOf('a = ')).toBeInstanceOf(QuerySyntaxError);
});
