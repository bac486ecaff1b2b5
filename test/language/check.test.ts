import { describe, expect, test } from 'vitest';
import { compileQuery } from '../../src/engine/index.ts';
import { check, type Diagnostic, fixQuery, format, type KnownSource } from '../../src/language/index.ts';

const isProblem = ({ severity }: Diagnostic): boolean => severity !== 'info';

/** A mistake, the code of its diagnostic, and the query after the fix; `undefined` if there is no fix. */
const MISTAKES: readonly (readonly [query: string, code: string, fixed: string | undefined])[] = [
  ['level=error || status=500', 'syntax', 'level=error or status=500'],
  ['level=error && status=500', 'and-mark', 'level=error and status=500'],
  ['level=error | where status > 400', 'where', 'level=error | status > 400'],
  ['level=error | limit 10', 'sql-limit', 'level=error | tail(10)'],
  ['level=error | take 10', 'kql-take', 'level=error | tail(10)'],
  ['ms>5 | dedup host', 'spl-dedup', 'ms>5 | host=* | groupBy(host, function=tail(1))'],
  ['x := if(ms >= 5 and a > 1, then=1, else=2)', 'syntax', 'x := if({ ms >= 5 and a > 1 }, then=1, else=2)'],
  ['x := if(ms > 5 or a <= 1, then=1, else=2)', 'syntax', 'x := if({ ms > 5 or a <= 1 }, then=1, else=2)'],
  ['x := if(a != 5 AND b = 1, then=1, else=2)', 'syntax', 'x := if({ a != 5 AND b = 1 }, then=1, else=2)'],
  ['test(a >= 5 and b > 3)', 'test-and', 'test(a >= 5) | test(b > 3)'],
  ['test(a >= 5 or b > 3)', 'test-and', undefined],
  ['not test(a > 1 and b > 2 or c > 3)', 'test-and', undefined],
  ['test(length(a) > 3 && b == 2 and c<1)', 'test-and', 'test(length(a) > 3) | test(b == 2) | test(c<1)'],
  ['x := if(user = bob*, then=1, else=2)', 'unknown-parameter', 'x := if({ user = bob* }, then=1, else=2)'],
  ['case { * | x := 1; status=404 | x := 2 }', 'unreachable', undefined],
  ['status match { * => x := 1; 200 => x := 2 }', 'unreachable', undefined],
  ['format("%s %s", field=[user])', 'format-fields', undefined],
  ['format("{} {}", field=[a, b])', 'format-fields', 'format("%s %s", field=[a, b])'],
  ['select(*)', 'field-pattern', undefined],
  ['drop("User*")', 'field-pattern', undefined],
  ['top(5)', 'unnamed-limit', undefined],
  ['percentile(ms, percentiles=[0.95])', 'percentile-range', undefined],
  ['file=/\\cmd\\.exe$/', 'path-in-regex', undefined],
  ['test(user == "bob*")', 'star-text', 'user="bob*"'],
  ['test(file == "*.exe")', 'star-text', 'file="*.exe"'],
  ['test(user == null)', 'star-text', 'user!=*'],
  ['x := if(user != *, then=1, else=2)', 'star-text', 'x := if({ user!=* }, then=1, else=2)'],
  ['test(file == cmd.exe)', 'field-word', 'test(file == "cmd.exe")'],
  ['name := lower(user) | name="Bob"', 'never-true', 'name := lower(user) | name="bob"'],
  ['upper(user, as=name) | a=1 name!=bob', 'never-true', 'upper(user, as=name) | a=1 name!="BOB"'],
  ['test(user is null)', 'is-null', 'user!=*'],
  ['not test(level in ["a", "b"])', 'sql-in', 'not in(level, values=["a", "b"])'],
  ['x := if(user is null, then=1, else=2)', 'is-null', 'x := if({ user!=* }, then=1, else=2)'],
  ['test(file == /cmd/)', 'syntax', 'file = /cmd/'],
  ['groupBy(host, count(), sum(ms))', 'wrong-type', 'groupBy(host, function=[count(), sum(ms)])'],
  ['groupBy(host, [count(), sum(ms)])', 'wrong-type', 'groupBy(host, function=[count(), sum(ms)])'],
  ['groupBy([], count())', 'wrong-type', 'groupBy([], function=count())'],
  ['a=1 or host:(web AND db)', 'lucene-alternatives', undefined],
  ['timeChart(span=1h, count())', 'wrong-type', 'timeChart(span=1h, function=count())'],
  ['rename(field=user as name)', 'syntax', 'rename(field=user, as=name)'],
  ['select(user as name)', 'syntax', undefined],
  ['case { a=1 => x := 1; * => x := 2 }', 'syntax', 'case { a=1 | x := 1; * | x := 2 }'],
  ['command=/x/ as y', 'searched-as', undefined],
  ['user|exists: true', 'sigma', 'user=*'],
  ['where dur < 5m', 'kql-duration', undefined],
  ['math:abs(-5)', 'field-name', undefined],
  ['drop([User*])', 'field-pattern', undefined],
  ['groupBy([user, _time])', 'field-name', 'groupBy([user, @timestamp])'],
  ['in(FileName, values=["/cmd/"])', 'quoted-regex', undefined],
  ['path="/cmd|pwsh/i"', 'quoted-regex', undefined],
  ['UserName=John Smith', 'lost-field', 'UserName="John Smith"'],
  ['CommandLine=cmd.exe -Enc -x', 'lost-field', 'CommandLine="cmd.exe -Enc -x"'],
  ['user="/eva/"', 'quoted-regex', undefined],
  ['correlate(a: { x=1 }, b: { x=2 | user <=> c.user })', 'unknown-query', undefined],
  [
    'correlate(a: { x=1 }, b: { x=2 | user=a.user })',
    'compared-field',
    'correlate(a: { x=1 }, b: { x=2 | user <=> a.user })',
  ],
  [
    'head() | neighbor(ip, prefix=p) | p.ip != ip',
    'compared-field',
    'head() | neighbor(ip, prefix=p) | test(p.ip != ip)',
  ],
  ['user=bob|eve', 'lost-field', 'in(user, values=[bob, eve])'],
  ['groupBy(user) where _count > 5', 'free-text-after-aggregate', 'groupBy(user) | _count > 5'],
  ['groupBy(user) > 5', 'syntax', 'groupBy(user) | _count > 5'],
  ['match status { 200 => x := 1; * }', 'syntax', undefined],
  ['level=error | fields a b', 'spl-search', 'level=/\\Aerror\\z/i | select([a, b])'],
  ['level=error | order by x', 'kql-sort', 'level=error | sort(x, order=desc, limit=max)'],
  ['level=error | extend x = y', 'kql-extend', 'level=error | x := y'],
  ['Error | stats count', 'spl-search', '/(?:^|[^a-z0-9])Error(?:[^a-z0-9]|$)/i | count()'],
  ['* | rex field=msg "(?<x>a)"', 'spl-rex', '* | regex("(?<x>a)", field=msg, strict=false)'],
  ['error | rex field=msg', 'spl-rex', undefined],
  ['count() as total', 'sql-as', 'count(as=total)'],
  ['msg contains "x"', 'contains', 'msg=/x/i'],
  ['msg has "x"', 'contains', 'msg=/(?:^|[^a-z0-9])x(?:[^a-z0-9]|$)/i'],
  ['status between 400 and 500', 'between', 'status >= 400 status <= 500'],
  ['host is null', 'is-null', 'host!=*'],
  ['x = status * 2', 'assignment', 'x := status * 2'],
  ['x := sqrt(status)', 'unknown-function', 'x := math:sqrt(status)'],
  ['x := if(msg=/x/, then=1, else=2)', 'unknown-parameter', 'x := if(regex("x", field=msg), then=1, else=2)'],
  ['x := if(status=500, then=1, else=2)', 'unknown-parameter', 'x := if(status == 500, then=1, else=2)'],
  ['case { level=error | x:=1 * | x:=2 }', 'syntax', 'case { level=error | x:=1; * | x:=2 }'],
  ['msg=“hello”', 'curly-quotes', 'msg="hello"'],
  ['msg=“hello world”', 'curly-quotes', 'msg="hello world"'],
  ['# all errors', 'comment', '// all errors'],
  ['@timestamp > "2026-01-01"', 'syntax', '@timestamp > 1767311999999'],
  ['@timestamp > "2026-01-01 10:00:00"', 'syntax', '@timestamp > 1767261600999'],
  [
    "SELECT host, count(*) FROM logs WHERE level = 'error' GROUP BY host",
    'sql-select',
    'level = "error" | groupBy(host, function=count())',
  ],
  ['status:[400 TO 500]', 'lucene-range', 'status >= 400 status <= 500'],
  ['LogonType:{3 TO 10]', 'lucene-range', 'LogonType > 3 LogonType <= 10'],
  ['LogonType:[3 TO *}', 'lucene-range', 'LogonType >= 3'],
  ['LogonType:{* TO 10}', 'lucene-range', 'LogonType < 10'],
  ['LogonType:[* TO *]', 'lucene-range', 'LogonType=*'],
  ['a=b @timestamp > now() - 1h', 'now-filter', 'a=b test(@timestamp > now() - 3600000)'],
  ['start >= now()-7d', 'now-filter', 'test(start >= now()-604800000)'],
  ['t < now() - 24*3600*1000', 'now-filter', 'test(t < now() - 24*3600*1000)'],
  ['t > now() - 5lightyears', 'now-filter', undefined],
  ['status:>=400', 'lucene-comparison', 'status >= 400'],
  ['msg:/err/', 'lucene-regex', 'msg=/err/'],
  ['level == error', 'syntax', 'level = error'],
  ['level <> error', 'syntax', 'level != error level=*'],
  ["status IN ('a', 400)", 'sql-in', 'in(status, values=["a", 400])'],
  ['status not in [1, 2]', 'sql-in', '!in(status, values=[1, 2]) status=*'],
  ['status=[400, 500]', 'syntax', 'in(status, values=[400, 500])'],
  ['level!=(warn or "a b")', 'syntax', '!in(level, values=[warn, "a b"])'],
  ['user=(alice|bob)', 'syntax', 'in(user, values=[alice, bob])'],
  ['file!=(a.exe | b*)', 'syntax', '!in(file, values=[a.exe, b*])'],
  ['file=(cmd|power.*)', 'syntax', undefined],
  ['user == AdminUser', 'syntax', undefined],
  ['.FileName == .ParentName', 'jq-field', undefined],
  ['default(user, "none")', 'repeated-parameter', 'default(value="none", field=user)'],
  ['default(user, 0)', 'repeated-parameter', 'default(value=0, field=user)'],
  ['x := time:hour(timezone=Europe/Zurich)', 'wrong-type', 'x := time:hour(timezone="Europe/Zurich")'],
  ['trim(user)=admin', 'syntax', 'test(text:trim(user) == "admin")'],
  ['lower(a)=tolower(b)', 'syntax', 'test(lower(a) == lower(b))'],
  ["user='it''s'", 'syntax', 'user="it\'s"'],
  ['cmd=/*ENC*/', 'syntax', undefined],
  ['user-name=ann', 'syntax', '"user-name"=ann'],
  ['a > b', 'syntax', 'test(a > b)'],
  ['cuont()', 'unknown-function', 'count()'],
  ['groupBy(host, functon=count())', 'unknown-parameter', 'groupBy(host, function=count())'],
  ["level='error'", 'syntax', 'level="error"'],
  [
    "level='error' | stats count by host",
    'spl-search',
    'level=/\\Aerror\\z/i | host=* | groupBy(host, function=count())',
  ],
  ["level='error' host='x y'", 'syntax', 'level="error" host="x y"'],
  ['level="error | count()', 'syntax', 'level="error" | count()'],
  ['msg=/x', 'syntax', 'msg=/x/'],
  ['url=/slow | count()', 'syntax', 'url="/slow" | count()'],
  ['a=web | kb = bytes / 1024 | sum(kb)', 'assignment', 'a=web | kb := bytes / 1024 | sum(kb)'],
  ['msg = bytes (a) / 1024', 'syntax', undefined],
  ['groupBy(host, function=count()', 'syntax', 'groupBy(host, function=count())'],
  ['groupBy([host, user | count()', 'syntax', 'groupBy([host, user]) | count()'],
  ['groupBy(host | count()', 'syntax', 'groupBy(host) | count()'],
  ['groupBy(host))', 'syntax', 'groupBy(host)'],
  ['(level=error', 'syntax', '(level=error)'],
  ['case { level=error | count(); * }', 'aggregate-in-clause', undefined],
  ['x := if(a == 1 and b == 2, then=1, else=0)', 'syntax', 'x := if({ a = 1 and b = 2 }, then=1, else=0)'],
  ['timeChart(span=5minuts)', 'wrong-type', 'timeChart(span=5minute)'],
  ['timeChart(span=abc)', 'wrong-type', undefined],
  ['formatTime("%H", as=h, timezone=Mars)', 'wrong-type', undefined],
  ['cidr(ip, subnet=10.0.0.0/8)', 'wrong-type', 'cidr(ip, subnet="10.0.0.0/8")'],
  ['cidr(ip, subnet=[10.0.0.0/8, 1.1.1.1])', 'wrong-type', 'cidr(ip, subnet=["10.0.0.0/8", 1.1.1.1])'],
  ['stats count by host', 'spl-stats-by', 'host=* | groupBy(host, function=count())'],
  ['* | eval x=status*2', 'spl-eval', '* | x := status*2'],
  ['error | table host, user', 'spl-search', '/(?:^|[^a-z0-9])error(?:[^a-z0-9]|$)/i | select([host, user])'],
  ['error | top host', 'spl-search', '/(?:^|[^a-z0-9])error(?:[^a-z0-9]|$)/i | top(host, percent=true)'],
  ['* | timechart span=5m count', 'spl-timechart', '* | timeChart(span=5m, function=count())'],
  [
    'error | sort -ms',
    'spl-search',
    '/(?:^|[^a-z0-9])error(?:[^a-z0-9]|$)/i | sort(ms, order=desc, limit=max)',
  ],
  ['error | count', 'syntax', 'error | count()'],
  ['level=error and x := 1', 'syntax', 'level=error | x := 1'],
  ['a=!b', 'syntax', 'a!=b'],
  ['msg=~/x/', 'syntax', 'msg=/x/'],
  ['replace("a", with=hello world, field=x)', 'syntax', 'replace("a", with="hello world", field=x)'],
  ['formatTime("%H", as=h timezone=UTC)', 'syntax', 'formatTime("%H", as=h, timezone=UTC)'],
  ['groupBy(host, function=count)', 'wrong-type', 'groupBy(host, function=count())'],
  ['groupBy(host, function=lower(x))', 'not-an-aggregate', undefined],
  ['groupBy(host, limit=lots)', 'wrong-type', undefined],
  ['sort(x, type=numbr)', 'wrong-type', 'sort(x, type=number)'],
  ['in(status, [1,2])', 'repeated-parameter', 'in(status, values=[1,2])'],
  ['in(status, values=[a], ignoreCase=yes)', 'wrong-type', 'in(status, values=[a], ignoreCase=true)'],
  ['lower()', 'missing-parameter', undefined],
  ['dropEvent(x)', 'unexpected-argument', undefined],
  ['rdns(ip)', 'unknown-function', 'reverseDns(ip)'],
  ['count(distinct host)', 'sql-count-distinct', 'count(host, distinct=true)'],
  ['count() > 5', 'syntax', 'count() | _count > 5'],
  ['sum(bytes)/1024', 'syntax', 'sum(bytes) | _sum := _sum /1024'],
  ['path=/a/b', 'syntax', 'path="/a/b"'],
  ['level=error and', 'syntax', 'level=error'],
  ['if(level=error) { x := 1 }', 'if-braces', 'case { level=error | x := 1; * }'],
  ['groupBy(host) | count > 5', 'missing-field', 'groupBy(host) | _count > 5'],
  ['count() | error', 'free-text-after-aggregate', undefined],
  ['* | stats count by user | foo', 'free-text-after-aggregate', undefined],
  ['regex("(?<=a)b")', 'regex-look-behind', undefined],
  ['join(level=error, field=host)', 'unknown-parameter', 'join({ level=error }, field=host)'],
];

test('clauses that all compare a field with other values should set it', () => {
  const query = 'case { status >= 500 | x = "a"; * | x = "b" }';
  expect(check(query).map(({ code }) => code)).toEqual(['compared-clause', 'compared-clause']);
  expect(fixQuery(query, {}, isProblem)).toBe('case { status >= 500 | x := "a"; * | x := "b" }');
});

test.each([
  'case { * | x := lookup(a); status=404 | x := 2 }',
  'case { status=404 | x := 1; * | x := 2 }',
  'case { a=1 | x="a"; * | y="b" }',
  'format("%1$s %1$s %%%n", field=[a])',
  'failed as expected',
  'percentile(ms, percentiles=[99.9])',
  'test(user == "**")',
  'name := lower(user) | name := user | name="Bob"',
  'case { a=1 | name := lower(user); name="Bob" }',
  '_time := @timestamp | groupBy(_time)',
  'writeJson("User*")',
  'in(path, values=["/login/"])',
  'UserName=John Not Smith',
  'user=bob | eve',
  'file=".bash*"',
  'ip="10.0.*"',
])('%s has no warning of a surely wrong value', (query) => {
  const codes =
    /^(?:unreachable|compared-clause|format-fields|searched-as|percentile-range|star-text|never-true|field-\w+|quoted-regex|lost-field)$/;
  expect(check(query).filter(({ code }) => codes.test(code))).toEqual([]);
});

test.each(MISTAKES)('%s is reported as %s and fixed to: %s', (query, code, fixed) => {
  const [first, ...others] = check(query);
  expect(first?.code).toBe(code);
  expect(others).toEqual([]);
  expect(first?.message).toMatch(/^(?:["A-Z]|\w+\(\)).*[.?]$/s);
  if (fixed === undefined) {
    expect(first).not.toHaveProperty('fix');
    return;
  }
  expect(fixQuery(query, {}, isProblem)).toBe(fixed);
  // The fixed query runs, unless a function can't be run without a file.
  expect([...compileQuery(fixed).warnings]).toEqual([]);
  expect(check(fixed)).toEqual([]);
});

/** Filters that can come first. */
const COSTS: readonly (readonly [query: string, fixed: string])[] = [
  ['groupBy(host) | host=web* | sort(_count)', 'host=web* | groupBy(host) | sort(_count)'],
  [
    'error | groupBy([a, b], function=max(c)) | a=1 or b=2',
    'error | a=1 or b=2 | groupBy([a, b], function=max(c))',
  ],
  ['parseJson() | #type=web | count()', '#type=web | parseJson() | count()'],
  ['user = "a" OR "b"', 'in(user, values=["a", "b"])'],
];

test.each(COSTS)('the checker suggests writing %s as %s', (query, fixed) => {
  expect(check(query)).toMatchObject([{ severity: 'info' }]);
  expect(fixQuery(query, {}, isProblem)).toBe(query);
  expect(fixQuery(query, {}, () => true)).toBe(fixed);
});

describe('The checker makes no suggestion for', () => {
  test.each([
    'groupBy(host, function=count(as=host)) | host > 5',
    'groupBy(host, function=collect(host)) | host=a*',
    'groupBy(host) | _count > 5',
    'groupBy(host) | host=/(?<x>.)/',
    'groupBy(host) | host=in(values=[a])',
    '#type=web | parseJson()',
    'count(as="#n") | #n > 5',
    'error #type=web',
    'user=a* user=ab',
    'ms>=5 ms<=5',
    'x=5 x=5.0',
    'user=a | user:=b | user=b',
    'lower(s, as=#svc) | #svc=web',
    'lower(#svc, as=#svc) | #svc=web',
    'groupBy(k, limit=10) | k=a',
    'user=a /(?<user>x)/ user=b',
    'user=?a user=b',
    'in(name, values="Smith")',
    'subnet="10.0.0.0/8"',
    'x := format("%s\tname\nvalue", field=[a])',
    'Error: timeout',
    'sshd: refused',
    'file exists',
    'risk := severity',
    'x := high - low',
    'high=1 | x := high',
    'groupBy(a, function=max(b, as=high)) | x := high',
    'drop(a) | drop(a)',
    'drop(a) | b := coalesce([a, b])',
  ])('%s', (query) => {
    expect(check(query)).toEqual([]);
  });
});

describe('Parts that a comment separates are not moved', () => {
  test.each(['groupBy(host) // by host\n| host=a*'])('%s', (query) => {
    const [suggestion] = check(query);
    expect(suggestion).toMatchObject({ code: 'filter-first' });
    expect(suggestion).not.toHaveProperty('fix');
  });
});

const SOURCE: KnownSource = {
  fields: [{ name: 'level', values: ['error'] }, { name: '#type' }, { name: 'user name' }],
  savedQueries: [{ name: 'errors' }],
  files: [{ name: 'owners.csv', columns: ['host', 'team'] }],
};

describe('With a known source', () => {
  test.each([
    ['levle=error', 'unknown-field', 'level=error'],
    ['x := 1 | levle=error', 'unknown-field', 'x := 1 | level=error'],
    ['level=a | groupBy([levle])', 'unknown-field', 'level=a | groupBy([level])'],
    ['groupBy(level, function=max(levle))', 'unknown-field', 'groupBy(level, function=max(level))'],
    ['test(levle == "a")', 'unknown-field', 'test(level == "a")'],
    ['test(level == error)', 'field-word', 'test(level == "error")'],
    ['x := if(level != error, then=1, else=2)', 'field-word', 'x := if(level != "error", then=1, else=2)'],
    ['type=web', 'tag-field', '#type=web'],
    ['"user nam"=ann', 'unknown-field', '"user name"=ann'],
    ['$erors()', 'unknown-saved-query', undefined],
    ['match("owner.csv", field=host)', 'unknown-file', 'match("owners.csv", field=host)'],
  ])('%s is reported as %s and fixed to: %s', (query, code, fixed) => {
    expect(check(query, { source: SOURCE })).toMatchObject([{ code, severity: 'warning' }]);
    expect(fixQuery(query, { source: SOURCE }, isProblem)).toBe(fixed ?? query);
  });

  test.each([
    'level=error #type=web @timestamp=*',
    'other=1',
    'levle := 1 | levle=error',
    'error := 1 | test(level == error)',
    'parseJson() | levle=error',
    'regex("(?<levle>.)") | count(levle)',
    'default(value=1, field=levle)',
    'groupBy(level, function=max(x, as=levle)) | levle=1',
    '$errors()',
    '$"pkg/other:query"()',
    'match("owners.csv", field=host)',
    'match(table, field=host)',
  ])('nothing is reported for %s', (query) => {
    expect(check(query, { source: SOURCE })).toEqual([]);
  });
});

test('a comparison of a field with a number is reported if all known values are text', () => {
  const source = {
    fields: [
      { name: 'level', values: ['info', 'error'] },
      { name: 'ms', values: ['1', 'x'] },
    ],
  };
  expect(check('level >= 40', { source })).toMatchObject([
    { code: 'compared-text', severity: 'warning', fix: { text: 'in(level, values=[warn, error, fatal])' } },
  ]);
  expect(check('ms >= 40', { source })).toEqual([]);
});

test('the name of a known field as the value of another one is reported, unless it is a known value', () => {
  const fieldsOf = (values: readonly string[]) => [{ name: 'target', values }, { name: 'userName' }];
  const codes = (values: readonly string[]) =>
    check('target=userName', { source: { fields: fieldsOf(values) } }).map(({ code }) => code);
  expect(codes([])).toEqual(['compared-field']);
  expect(codes(['userName'])).toEqual([]);
});

test('a phrase of another language has one warning, also if no field has the name of its option', () => {
  const found = check('host=a | transaction host maxspan=5m', { source: { fields: [{ name: 'maxspans' }] } });
  expect(found.map(({ code }) => code)).toEqual(['spl-transaction']);
});

test.each([
  ['a=1 b=2 or c=3', 'a=1 (b=2 or c=3)'],
  ['a=1 or b=2 and c=3', '(a=1 or b=2) and c=3'],
  ['not a=1 or b=2 c=3 or d=4', '(not a=1 or b=2) (c=3 or d=4)'],
])('%s: an info states that it means %s', (query, meaning) => {
  const found = check(query);
  for (const { code, severity } of found) expect([code, severity]).toEqual(['or-before-and', 'info']);
  expect(fixQuery(query, {}, () => true)).toBe(meaning);
  expect(format(query, { parens: true })).toBe(meaning);
  expect(format(query)).toBe(query);
});

test.each(['(a=1 or b=2) c=3', 'a=1 or b=2', '((a=1 or b=2)) c=3', 'a=1 b=2', 'a=1 | b=2 or c=3'])(
  '%s has no ambiguous order',
  (query) => {
    expect(check(query)).toEqual([]);
    expect(format(query, { parens: true })).toBe(query);
  },
);

test('an error is fixed only on request while a phrase without a fix remains', () => {
  const query = '* | addinfo | p95(ms)';
  expect(check(query)).toMatchObject([{ code: 'spl-command' }, { code: 'percentile', isSuggestion: true }]);
  expect(fixQuery(query)).toBe(query);
});

test.each([
  ['count() | HOLE | statsu=1', []],
  ['HOLE | groupBy(a) | b=1', []],
  ['groupBy(HOLE) | b=1', []],
  ['groupBy(a) | HOLE=1 | b=1', []],
  ['groupBy(a) | HOLE=1 | c=HOLE', []],
  ['x=HOLE | groupBy(a) | b=1', ['b']],
  ['x="a HOLE" | groupBy(a) | a>9002 b=9003', ['b']],
  ['select([a]) | b=1 | HOLE | c=1', ['b']],
  ['groupBy(a) | count > 9001', ['count']],
])(
  'problems in unknown parts of %s are not reported, and fields only if they are certain: %j',
  (query, fields) => {
    const unknownParts = [...query.matchAll(/HOLE\d?|900\d/g)].map(({ 0: word, index }) => ({
      start: index,
      end: index + word.length,
    }));
    expect(check(query, { unknownParts }).map(({ span }) => query.slice(span.start, span.end))).toEqual(
      fields,
    );
  },
);

test('fixes of several rounds keep unknown parts apart from fields', () => {
  const query = 'a=HOLE | limit 5 | groupBy(b) | count > 9001';
  const unknownParts = ['HOLE', '9001'].map((word) => ({
    start: query.indexOf(word),
    end: query.indexOf(word) + 4,
  }));
  expect(fixQuery(query, { unknownParts }, () => true)).toBe('a=HOLE | tail(5) | groupBy(b) | _count > 9001');
});

test('a phrase of another language around an unknown part is reported without a fix', () => {
  const found = check('| where host == _0_____', { unknownParts: [{ start: 16, end: 23 }] });
  expect(found).toEqual([
    {
      code: 'where',
      severity: 'error',
      message: '"where host == …" is SPL, SQL or KQL. Write field="value".',
      span: { start: 2, end: 23 },
    },
  ]);
});

test('fields set by steps are known after them', () => {
  const query = [
    'groupBy([host, "user name"], function=[count(as=n), top := max(ms), percentile(ms, percentiles=[50, 99.9])])',
    'rate := n / top | host=/(?<zone>[a-z]+)-(?<id>\\d+)/ | case { zone=a | x := 1; * | y := 2 }',
    'lower(host, as=h) | rename(id, as=number) | eval(z=rate+x)',
    'test(_50 < _99.9) | y=* number=* h=* | sort([z, "user name"]) | select([z, n]) | n=1 | z > 2',
  ].join(' | ');
  expect(check(query)).toEqual([]);
});

test.each([
  ['groupBy(host) | status=500', 'status', 'only host, _count'],
  ['select([a, b]) | groupBy(status)', 'status', 'only a, b'],
  ['count() | x := status + 1', 'status', 'only _count'],
  ['count() | case { status=500 | x := 1 }', 'status', 'only _count'],
  ['top(host) | sort(status)', 'status', 'only host, _count'],
  ['groupBy(k, function=session()) | sort(_size)', '_size', 'only k, @timestamp, _duration, _count'],
])('%s: no row has the field %s, %s', (query, field, known) => {
  expect(check(query)).toMatchObject([
    {
      code: 'missing-field',
      severity: 'warning',
      message: expect.stringContaining(`the field "${field}" here: the steps before return ${known}.`),
      span: { start: query.indexOf(field), end: query.indexOf(field) + field.length },
    },
  ]);
});

test.each([
  'parseJson() | status=500',
  'groupBy(host) | parseJson(host) | status=500',
  'groupBy(host) | match("x.csv", field=host) | team=a',
  'groupBy(host) | $q() | status=500',
  'groupBy(?key) | status=500',
  'groupBy(host, function={ x=1 | collect([status]) }) | status=500',
  'groupBy(tags[0]) | sort(tags[0])',
  'select([tags[]]) | tags[1]=a',
  'groupBy(host) | default(field=status, value=1) | status=1',
  'head(5) | status=500',
  'count() | coalesce([status, _count], as=x)',
])('%s: the fields are not certain, so nothing is reported', (query) => {
  expect(check(query)).toEqual([]);
});

test('fixes leave a query that can be parsed alone, unless suggestions are wanted', () => {
  expect(fixQuery('level=error LIMIT 5')).toBe('level=error LIMIT 5');
  expect(fixQuery('level=error LIMIT 5', {}, isProblem)).toBe('level=error | tail(5)');
});

/** Valid queries that surely mean something else, the code of the warning, and the query after the fix. */
const DOUBTFUL: readonly (readonly [query: string, code: string, fixed?: string])[] = [
  ['path="*\\temp\\*"', 'escaped-path', 'path="*\\\\temp\\\\*"'],
  ['path="C:\\new\\x.exe"', 'escaped-path', 'path="C:\\\\new\\\\x.exe"'],
  ['path="C:\\u\\new\\readme"', 'escaped-path', 'path="C:\\\\u\\\\new\\\\readme"'],
  ['path="*\\reg.exe"', 'escaped-path', 'path="*\\\\reg.exe"'],
  ['path="*\\System32\\nltest.exe"', 'escaped-path', 'path="*\\\\System32\\\\nltest.exe"'],
  ['path="*\\Users\\Public\\rclone*"', 'escaped-path', 'path="*\\\\Users\\\\Public\\\\rclone*"'],
  ['path="System32\\ntdsutil.exe"', 'escaped-path', 'path="System32\\\\ntdsutil.exe"'],
  ['path="\\Device\\x\\7z\\rar"', 'escaped-path', 'path="\\\\Device\\\\x\\\\7z\\\\rar"'],
  ['path="%TEMP%\\nc"', 'escaped-path', 'path="%TEMP%\\\\nc"'],
  ['path=/\\Windows\\System32\\cmd\\.exe/i', 'path-in-regex'],
  ['user!=SYSTEM or user!=root', 'always-true'],
  ['path="*\\temp\\new1*"', 'escaped-path', 'path="*\\\\temp\\\\new1*"'],
  ['path=/\\temp\\new/', 'path-in-regex'],
  ['path=regex("\\\\new")', 'path-in-regex'],
  ['not user=a or not user=b', 'always-true'],
  ['user=a user=b', 'never-true'],
  ['user=a | user=b', 'never-true'],
  ['user=a user!=a', 'never-true'],
  ['x=1 or (ms>5 ms<3)', 'never-true'],
  ['in(user, values="a,b")', 'empty-values', 'in(user, values=["a", "b"])'],
  ['ip!="10.0.0.0/8"', 'subnet-text', '!cidr(ip, subnet="10.0.0.0/8")'],
  ['test(@timestamp > now() - 1h)', 'duration-field', 'test(@timestamp > now() - 3600000)'],
  ['x := now() - 1h', 'duration-field', 'x := now() - 3600000'],
  ['test(@timestamp > -1h)', 'duration-field', 'test(@timestamp > now() - 3600000)'],
  ['@timestamp > 1795168800', 'epoch-seconds', '@timestamp > 1795168800000'],
  ['setTimeInterval(start="1795168800")', 'epoch-seconds', 'setTimeInterval(start=1795168800000)'],
  ['case { status=200 : x := "ok"; * }', 'searched-mark', 'case { status=200 | x := "ok"; * }'],
  ['case { LogonType=2: x := "a: b"; * }', 'searched-mark', 'case { LogonType=2 | x := "a: b"; * }'],
  ['out + in > 5000000', 'searched-mark'],
  ['case { src - in > 1 | x := "y"; * }', 'searched-mark'],
  ['x=1 or f=/a/|b', 'lost-field', 'x=1 or f=/a|b/'],
  ['case { status=200 | x := "ok"; default: x := "bad" }', 'searched-mark'],
  ['t := @timestamp | t > 1795168800', 'epoch-seconds', 't := @timestamp | t > 1795168800000'],
  ['host=web-01 OR web-02', 'lost-field', 'in(host, values=["web-01", "web-02"])'],
  ['ip=10.0.0.5 OR 192.168.1.9', 'lost-field', 'in(ip, values=[10.0.0.5, 192.168.1.9])'],
  ['status=200 OR 404', 'lost-field', 'in(status, values=[200, 404])'],
  ['#e=x port=3389|445', 'lost-field', '#e=x in(port, values=[3389, 445])'],
  ['#e=x f!=/whoami/i|hta|net', 'lost-field', '#e=x f!=/whoami|hta|net/i'],
  ['kb = bytes/1024 | sum(kb)', 'assignment', 'kb := bytes/1024 | sum(kb)'],
  ['f="a.exe" or "b.exe"', 'lost-field', 'in(f, values=["a.exe", "b.exe"])'],
  [
    'parseTimestamp("yyyy-mm-dd HH:MM:SS", field=t)',
    'time-pattern',
    'parseTimestamp("yyyy-MM-dd HH:mm:ss", field=t)',
  ],
  ['parseTimestamp("%Y-%m-%d", field=t)', 'time-pattern', 'parseTimestamp("yyyy-MM-dd", field=t)'],
  ['parseTimestamp("YYYY-MM-DD", field=t)', 'time-pattern', 'parseTimestamp("yyyy-MM-dd", field=t)'],
  ['level=error | transaction host maxspan=5m', 'spl-transaction'],
  ['status=5%', 'percent-sign', 'status=5*'],
  ['host=web%', 'percent-sign', 'host=web*'],
  ['in(host, values=[])', 'empty-values'],
  ['x := "{host}-{level}"', 'placeholders', 'x := format("%s-%s", field=[host, level])'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a shell.
  ['x := "${host}@x"', 'placeholders', 'x := format("%s@x", field=[host])'],
  ['user:a\\*b*', 'lucene-field', 'user=/\\Aa\\*b/'],
  ['drop(host) | host=web-1', 'missing-field'],
  ['rename(host, as=h) | groupBy(host)', 'missing-field'],
  ['rename([[host, h], [a, b]]) | groupBy(host)', 'missing-field'],
  ['join({ groupBy(uid) }, field=uid, include=[name])', 'missing-field'],
  [
    'defineTable(query={ select(host) }, name=t, include=[hots])',
    'missing-field',
    'defineTable(query={ select(host) }, name=t, include=[host])',
  ],
  ['array:contains("a", value=b)', 'array-brackets', 'array:contains("a[]", value=b)'],
  ['array:append(array=a.b, values=[1])', 'array-brackets', 'array:append(array=a.b[], values=[1])'],
  [Array(102).fill('a=1').join(' | '), 'many-pipes'],
  ['timeChart("1h")', 'unnamed-span', 'timeChart(span="1h")'],
  ['groupBy(host) | table([host, count])', 'missing-field', 'groupBy(host) | table([host, _count])'],
  ['groupBy(host) | x := nosuch', 'missing-field'],
  ['groupBy(host, function={ count() | max(ms) })', 'missing-field'],
  ['groupBy(host) | case { host=a | x := nosuch; * }', 'missing-field'],
  [
    'groupBy(host) | x := if({ count > 5 }, then="a", else=host)',
    'missing-field',
    'groupBy(host) | x := if({ _count > 5 }, then="a", else=host)',
  ],
  [
    'groupBy(host, function=collect(user)) | split(user)',
    'joined-lines',
    'groupBy(host, function=collect(user)) | splitString(user, by="\\n", as=user) | split(user)',
  ],
  ['groupBy(host) | head(1)', 'rows-without-time', 'groupBy(host) | sort(host, order=asc, limit=1)'],
  ['groupBy(host) | sort(_count) | head(1)', 'rows-without-time', 'groupBy(host) | sort(_count, limit=1)'],
  ['count() | tail(1)', 'rows-without-time'],
  ['sort(ms) | head(5)', 'order-lost', 'sort(ms, limit=5)'],
  ['[max(a), max(b)]', 'repeated-output', '[max(a), max(b, as=max_b)]'],
  ['[max(a), { b=1 | max(b) }]', 'repeated-output', '[max(a), { b=1 | max(b, as=max_b) }]'],
  ['a=1 | sort("lower(user)")', 'missing-field', undefined],
  [
    'groupBy(h, function=[count(), count(h, distinct=true)])',
    'repeated-output',
    'groupBy(h, function=[count(), count(h, distinct=true, as=count_h)])',
  ],
  ['x := n%3', 'percent-sign', 'x := n % 3'],
  ['test(n%3 == 0)', 'percent-sign', 'test(n % 3 == 0)'],
  ['x := 5m', 'duration-field', 'x := 300000'],
  ['risk := high', 'field-word', 'risk := "high"'],
  ['test(level == critical)', 'field-word', 'test(level == "critical")'],
  ['x := failure | y := "b"', 'field-word', 'x := "failure" | y := "b"'],
  [
    '!in(ip, values=["10.0.0.0/8", "1.1.0.0/16"])',
    'subnet-text',
    '!cidr(ip, subnet=["10.0.0.0/8", "1.1.0.0/16"])',
  ],
  ['file="cmd*" or "net*"', 'lost-field', 'in(file, values=["cmd*", "net*"])'],
  ['groupBy(u, function=[count(as=n), max(b, as=n)])', 'repeated-output', undefined],
  ['CommandLine="/lsass/i"', 'quoted-regex', undefined],
  ['file="cmd.exe|net.exe"', 'quoted-regex', undefined],
  ['x := if(a > 5, then=Bad, else=b)', 'field-word', 'x := if(a > 5, then="Bad", else=b)'],
  ['UserName exists', 'script-call', 'UserName=*'],
  ['a=1 user_name not exists', 'script-call', 'a=1 user_name!=*'],
  ['UserName is not null', 'is-not-null', 'UserName=*'],
  ['UserName != null', 'is-not-null', 'UserName=*'],
  ['x := if(host == "web*", then=1, else=2)', 'star-text', 'x := if({ host="web*" }, then=1, else=2)'],
  ['a=1 and not test(x != "b*")', 'star-text', 'a=1 and not (x!="b*" x=*)'],
  ['f=".*shell.*"', 'quoted-regex'],
  ['in(f, values=["^cmd.*", "a"])', 'quoted-regex'],
  ['f!="a.exe" or "b.exe"', 'lost-field', '!in(f, values=["a.exe", "b.exe"])'],
  ['groupBy(host) | table([host, hots])', 'missing-field'],
  ['f=/{iex}/', 'regex-brace'],
  ['f=/a{,2}/', 'regex-brace'],
];

test.each([
  ['case { a=1 | x := deny; * | x := info }', 'case { a=1 | x := "deny"; * | x := "info" }'],
  ['EventID=4625 ; count()', 'EventID=4625 | count()'],
])('%s is fixed to %s', (query, fixed) => {
  expect(fixQuery(query, {}, isProblem)).toBe(fixed);
});

test.each(DOUBTFUL)('%s is reported as %s', (query = '', code, fixed) => {
  expect(check(query)).toMatchObject([{ code, severity: 'warning' }]);
  expect(fixQuery(query, {}, isProblem)).toBe(fixed ?? query);
});

test.each<[string, string, boolean?]>([
  ['f=/whoami|hta', 'f=/whoami|hta/', true],
  ['f=/whoami|hta and x=1', 'f=/whoami|hta/ and x=1', true],
  ['f=/(cmd|powershell) -enc | head(5)', 'f=/(cmd|powershell) -enc/ | head(5)', true],
  ['f=/whoami | head(5)', 'f=/whoami/ | head(5)'],
  ['f=/whoami|head(5)', 'f=/whoami/|head(5)'],
])(
  'the regex of %s is closed as in %s; a suggestion if it can end elsewhere',
  (query, fixed, isSuggestion) => {
    expect(fixQuery(query, {}, isProblem)).toBe(fixed);
    expect(check(query)[0]?.isSuggestion).toBe(isSuggestion);
  },
);

/** Dates, the start of what they name, and its end. */
const DATES: readonly (readonly [date: string, start: string, end: string])[] = [
  ['2026-02', '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
  ['2026-11-29', '2026-11-29T00:00:00.000Z', '2026-11-29T23:59:59.999Z'],
  ['2026-11-29T08', '2026-11-29T08:00:00.000Z', '2026-11-29T08:59:59.999Z'],
  ['2026-11-29T08:10', '2026-11-29T08:10:00.000Z', '2026-11-29T08:10:59.999Z'],
  ['2026-11-29T08:10:05Z', '2026-11-29T08:10:05.000Z', '2026-11-29T08:10:05.999Z'],
  ['2026-11-29T08:10:05.5Z', '2026-11-29T08:10:05.500Z', '2026-11-29T08:10:05.500Z'],
];

test.each(DATES)('%s starts at %s and ends at %s, as in Elasticsearch', (date, start, end) => {
  const [first, last] = [Date.parse(start), Date.parse(end)];
  const fix = (query: string) => fixQuery(query, {}, isProblem);
  for (const [operator, time] of Object.entries({ '>=': first, '<': first, '<=': last, '>': last })) {
    const queries = [`t:${operator}${date}`, `t ${operator} ${date}`, `t ${operator} "${date}"`];
    expect(queries.map(fix)).toEqual(queries.map(() => `t ${operator} ${time}`));
  }
  expect(fix(`t:[${date} TO ${date}]`)).toBe(`t >= ${first} t <= ${last}`);
  expect(fix(`t:{${date} TO *}`)).toBe(`t > ${last}`);
  expect(fix(`t:{* TO ${date}}`)).toBe(`t < ${first}`);
  expect(fix(`SELECT * FROM x WHERE t <= '${date}'`)).toBe(`t <= ${first}`);
});

test('all paths of a list are fixed', () => {
  const fixed = fixQuery('in(f, values=["*\\reg.exe", "*\\cmd.exe", "*\\nltest.exe"])', {}, isProblem);
  expect(fixed).toBe('in(f, values=["*\\\\reg.exe", "*\\cmd.exe", "*\\\\nltest.exe"])');
});

test.each([
  'f="*\\nCaused by: *"',
  'f="*\\t*" or f="at\\nline" or f="*\\\\reg.exe"',
  'bucket(5m)',
  '[max(a), max(b, as=x)]',
  'groupBy(h, function=[max(a), max(a), n := max(b), min(a)])',
  'bucket(1h, function=count())',
  '_time=* | x := _time',
  'f=/^\\d{1,2}+$/',
  'f=/\\{iex\\} [{] \\x{1F} \\p{Lu} a{2} a{2,3}/',
  'f="a\\nb"',
  'f="C:\\\\new\\\\x.exe"',
  'user!=a* or user!=b*',
  'level="error" or "connection refused"',
  'parseTimestamp("yyyy-MM-dd\'T\'HH:mm:ss.SSSXXX", field=t)',
  'x := "{}"',
  'drop(host) | host := a | groupBy(host)',
  'drop(host) | parseJson() | host=a',
  'rename([[a, b], [b, a]]) | groupBy([a, b])',
  'join({ groupBy(uid, function=[avg(ms), collect(name)]) }, field=id, key=uid, include=[name, _avg])',
  'join({ type=a | regex("(?<name>.)") }, field=uid, include=[name])',
  'array:filter(array="a[]", function={ a=1 }, asArray="b[]")',
  Array(101).fill('a=1').join(' | '),
  'timeChart("status", limit=10)',
  'head(5) | tail(1)',
])('%s is correct, and nothing is reported', (query) => {
  expect(check(query)).toEqual([]);
});

test.each([
  ['status:[400 TO 500] user:eva', true],
  ['user:eva status:[400 TO 500]', true],
  ['status:[400 TO 500] "a b"', true],
  ['status:[400 TO 500] AND host:a user:eva', true],
  ['status:500 user:eva | stats count by host', true],
  ['status:[400 TO 500] -user:eva'],
  ['not user:eva status:[400 TO 500]'],
  ['status:[400 TO 500] AND user:eva OR host:a'],
  ['status:[400 TO 500] user=eva'],
  ['level=error status:[400 TO 500] | stats count by host'],
  ['SELECT * FROM t WHERE a::int = b::int'],
])('the fix of %s is a suggestion if only spaces join Lucene clauses', (query, isSuggestion = undefined) => {
  const [problem] = check(query);
  expect(problem).toMatchObject({ severity: 'error', fix: {} });
  expect(problem?.isSuggestion).toBe(isSuggestion);
  expect(problem?.message.endsWith('but "or" in Elasticsearch by default.')).toBe(isSuggestion === true);
});

test.each([
  ['Events // all\n| where a == "b" // x\n| count // y', '// all\na = "b" // x\n| count() // y'],
  ['Events /* all */ | where a == "b"', '/* all */\na = "b"'],
  ['index=main // all\n| stats count by a // x', '// all\na=* | groupBy(a, function=count()) // x'],
  ['a=1 | stats count // n\n by a', 'a=1 | // n\na=* | groupBy(a, function=count())'],
])('the fix of %s keeps its comments', (query, fixed) => {
  expect(fixQuery(query)).toBe(fixed);
});

test.each(['a === b', 'a = tonumber(b)', 'level=error | a=cast(b as int)'])(
  '%s, which compares two fields, is not fixed to a comparison with text',
  (query) => {
    expect(fixQuery(query, {}, () => true)).not.toMatch(/(?<!=)=\s*b/);
  },
);
