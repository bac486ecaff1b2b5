import { describe, expect, test } from 'vitest';
import { tryOr } from '../../src/core/try-or.ts';
import { compileQuery } from '../../src/engine/index.ts';
import { diagnose } from '../../src/language/diagnostics/check.ts';
import { check, parse } from '../../src/language/index.ts';
import { lawCases } from '../helpers/laws.ts';
import { MISTAKE_CASES } from './mistake-cases.ts';
import { refusalOf } from './run-query.ts';

describe('Queries without a warning', () => {
  test.each([
    'limit exceeded',
    'where is "my log"',
    '"msg contains \\"x\\""',
    'msg="a && b"',
    'error // where status > 400',
    'error /* limit 10 */ | head(1)',
    'https://example.com/a:b',
    '12:30:45',
    'java.lang.NullPointerException: at',
    'a=b c=d',
    'file="C:/dir/x"',
    'x := status * 2',
    '#type=json error',
    'take=10',
    'error | where=here',
    'groupBy(host) | host=a* | sort(_count)',
  ])('%s', (query) => {
    expect(diagnose(query, parse(query))).toEqual([]);
  });
});

test.each([
  ['msg=“hello”', '"“hello”" is not a string: curly quotes are part of the text. Write "hello" instead.'],
  ['# all errors', '"#" is not a comment: the words of its line are searched for. Write // instead.'],
  ['-- all errors', '"--" is not a comment: the words of its line are searched for. Write // instead.'],
  [
    'Logs | order by bytes asc | take 2 | project bytes',
    '"Logs | order by bytes asc | take 2 | project bytes" is KQL. Write sort(bytes, order=asc, limit=2) | select([bytes]) instead: the repository is chosen where the query runs.',
  ],
])('compileQuery() warns about %s', (query, message) => {
  expect([...compileQuery(query).warnings]).toEqual([message]);
});

test('a query that runs has only warnings that lint has', () => {
  for (const [query] of lawCases(Object.values(MISTAKE_CASES).flat(), 8)) {
    if (tryOr(undefined, () => compileQuery(query)) === undefined) continue;
    const found = check(query).map(({ message }) => message);
    expect(found).toEqual(
      expect.arrayContaining(diagnose(query, parse(query)).map(({ message }) => message)),
    );
  }
});

test.each([
  ['/(?<=a)b/', 'The service rejects look-behind'],
  ['regex("(?<!a)b", field=x)', 'The service rejects look-behind'],
  ['replace("(?<!a)b", with=x)', 'The service rejects look-behind'],
  ['/(?<x>a)\\k<x>/', 'The service rejects references to named groups'],
  ['msg=/a++/', 'Possessive quantifiers, such as a++, are documented as unsupported'],
  ['msg match { /(?>ab)/ => * }', 'The service rejects atomic groups'],
  ['msg=/^*a/', 'The service rejects a quantifier after ^'],
  ['msg=/{iex}/', 'A { that starts no quantifier is not documented. Write it as \\{.'],
])('compileQuery() warns about the regular expression in %s: %s', (query, start) => {
  const [warning, ...others] = compileQuery(query).warnings;
  expect(warning).toContain(start);
  expect(others).toEqual([]);
});

test.each(['/[(?<=]/', '/\\(\\?>a\\+\\+/', '/a+\\+/', '/(?=a)(?:b)(?<c>d)/', '/[a-z+]+/', '/\\Qa++\\E/'])(
  'compileQuery() does not warn about the regular expression %s',
  (query) => {
    expect([...compileQuery(query).warnings]).toEqual([]);
  },
);

test.each(['^\\d{1,2}+$', '^\\d{1}{5}$'])(
  'the quantifier after braces in %s repeats them, as on the service',
  (body) => {
    const run = compileQuery(`x=/${body}/`).open({ start: 0, end: 10, now: 10, timeZone: 'UTC' });
    run.push({ '@timestamp': '1', '@rawstring': '', x: '12345' });
    expect(run.rows()).toHaveLength(1);
  },
);

describe('Free text after an aggregate function', () => {
  const problem = 'Free text is only allowed before the first aggregate function';

  test.each([
    'count() | error',
    'count() | /x/',
    'count() | /(?<x>.)/',
    'count() | not error',
    'count() | a=1 or error',
    'count() error',
    'head(1) | case { error; * }',
    'groupBy(a, function={ count() | error })',
    '[count(), max(a)] | ?{p=error}',
  ])('is rejected in %s', (query) => {
    expect(refusalOf(query).message).toContain(problem);
  });

  test.each([
    'error | count()',
    'count() | *',
    'count() | ?p',
    'count() | ?{p=*} | _count > 1',
    'count() | case { _count=1 | x := 1; * | x := 2 }',
    'groupBy(a, function={ error | count() })',
    'createEvents(["a"]) | error | count()',
    'join({error | groupBy(a)}, field=a) | error | count()',
  ])('is accepted in %s', (query) => {
    expect(() => compileQuery(query)).not.toThrow();
  });
});
