import { expect, test } from 'vitest';
import { QueryError } from '../../src/query-engine/index.ts';
import { QuerySyntaxError } from '../../src/query-language/index.ts';
import { refusalOf } from './run-query.ts';

/** What is wrong with a query whose guilty part stands between « and ». */
const REFUSALS: Readonly<Record<string, string>> = {
  // Functions.
  'a=1 | «join»({b=2}, field=a)': 'The function "join" is not supported by the local server',
  '«ipLocation»(ip)': 'The function "ipLocation" is not supported by the local server',
  '«cuont»()': 'There is no function "cuont". Did you mean "count"?',
  'x := «cuont»()': 'There is no function "cuont". Did you mean "count"?',
  'groupBy(a) | «accumulate»(count())': 'The function "accumulate" is not supported by the local server',
  '«$saved(x=1)»':
    'The saved query "saved" can\'t be called: the local server does not run saved queries inside others',

  // Arguments.
  'head(«limt»=5)': 'head() has no parameter "limt". Did you mean "limit"?',
  'head(«nothing_like_it»=5)': 'head() has no parameter "nothing_like_it", only limit',
  'head(«constructor»=5)': 'head() has no parameter "constructor", only limit',
  'fieldset(«a»)': 'fieldset() takes no arguments',
  'fieldset(«a»=1)': 'fieldset() has no parameter "a": it takes no arguments',
  'setField(«a»)': 'setField() takes no unnamed argument, only target, value',
  '«sum()»': 'sum() needs the parameter "field": the name of a field',
  'sum(a, «b»)': 'sum() is given "field" twice; the others must be named, as in name=value',
  'a =~ in(«a», values=[1])': 'in() is given "field" twice; the others must be named, as in name=value',
  'head(limit=1, «limit=2»)': 'head() is given "limit" twice',
  'x := count(«as=y»)': 'count() is given "as" twice',
  'head(«many»)':
    'The parameter "limit" of head() must be a whole number from 1 to 200000, or max, but is many',
  'head(«0»)': 'The parameter "limit" of head() must be a whole number from 1 to 200000, or max, but is 0',
  'head(«-1»)': 'The parameter "limit" of head() must be a whole number from 1 to 200000, or max, but is -1',
  'head(«?n»)':
    'The parameter "limit" of head() must be a whole number from 1 to 200000, or max, but ?n has no value',
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
  'timeChart(span=1m, «buckets=2»)': 'Set either "span" or "buckets", not both',
  'timeChart(«unit="x/y/z to x"»)': '"x/y/z to x" is no conversion such as "bytes/span to Kbytes/day"',
  'timeChart(«unit=["a","b"]»)': '"unit" must be one text, or as many as there are outputs (1)',
  'count(«distinct=true»)': 'count(distinct=true) needs a field',
  '«rename(a)»': 'rename() needs the parameter "as": the new name',
  'rename([[a,b]], «as=c»)': 'rename() takes either pairs of names or one field with "as"',
  'rename(«[[a,b,c]]»)':
    'The parameter "field" of rename() must be the name of a field or an array such as [[old, new], [old, new]], but is [[a,b,c]]',
  'percentile(a, «percentiles=[101]»)': 'Percentiles lie between 0 and 100',
  'percentile(a, «accuracy=0»)': 'The accuracy lies between 0.000001 and 1',
  'top(a, sum=b, «max=c»)': 'top() ranks by "sum" or by "max", not by both',
  'collect([a,b], «multival=false»)':
    'collect(multival=false) makes a row of each value, which only one field can give',
  'kvParse(«separator=""»)': 'kvParse() needs a separator of at least one character',
  '«formatTime("%F")»': 'formatTime() needs the parameter "as": the field to write',
  'x := formatTime(«"%K"»)': 'formatTime() knows no %K',
  'format(«"%q"», field=a)': 'The format can\'t be used: "%q" is no format; write %% for a percent sign',
  'replace("a", «with="$2"»)': 'The replacement refers to a group that the regular expression does not have',
  'replace("a", «with="$x"»)':
    'A $ in a replacement must be followed by the number of a group, or written \\$',
  'lower(a, locale=«"not a locale"»)':
    'The parameter "locale" of lower() must be a locale such as en_US, but is "not a locale"',

  // Regular expressions.
  'a=«/(/»': "The regular expression can't be used: a group is not closed",
  'regex(«"["»)': "The regular expression can't be used: a [ is not closed",
  'splitString(«by="(?>x)"»)': "The regular expression can't be used: atomic groups (?>…) are not supported",
  'regex(«/a/g»)': 'regex() takes repeat=true instead of the flag g',
  'regex("a", flags=«g»)':
    'The parameter "flags" of regex() must be made of the letters i, m, d and F, but is g',
  'a=«/(?<x>1)/» or b=1':
    'A regular expression with named groups can only stand at the top of a step, joined with "and": under "or", "not" and in conditions it can\'t create fields',
  'not «/(?<x>1)/»':
    'A regular expression with named groups can only stand at the top of a step, joined with "and": under "or", "not" and in conditions it can\'t create fields',
  '«regex("(?<x>1)")» or b=1':
    'regex() with named groups or repeat=true can only stand at the top of a step, joined with "and": under "or" and in conditions it can\'t change events',

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
  '«a <=> b»': 'The operator <=> belongs to correlate(), which the local server does not support',
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
  const error = refusalOf('status=500\n| join({x=1}, field=a)');
  expect(String(error)).toBe(
    'QueryError: The function "join" is not supported by the local server (line 2, column 3)\n' +
      '2 | | join({x=1}, field=a)\n' +
      '  |   ^^^^',
  );
});

test('an argument that is no number is shown where one is needed', () => {
  const error = refusalOf('a > ?n', { arguments: { n: 'x' } });
  expect(error.message).toBe('> needs a number, but ?n is "x" (line 1, column 5)');
});

test('a query that can not be parsed is refused by the parser', () => {
  expect(refusalOf('a = ')).toBeInstanceOf(QuerySyntaxError);
});
