import { describe, expect, test } from 'vitest';
import { compileQuery } from '../../src/query-engine/index.ts';
import { diagnose } from '../../src/query-language/diagnostics/diagnose.ts';
import { FOREIGN_PHRASES } from '../../src/query-language/diagnostics/foreign-syntax.ts';
import { parse } from '../../src/query-language/index.ts';
import { refusalOf } from './run-query.ts';

/** A phrase of another language in « », and its replacement. The query is valid, with a warning. */
const WARNINGS: readonly (readonly [query: string, language: string, write: string])[] = [
  ['level=error | «where status > 400»', 'SPL, SQL or KQL', 'status > 400'],
  ['level=error | «WHERE status > 400»', 'SPL, SQL or KQL', 'status > 400'],
  ['error | «search status=500»', 'SPL', 'status=500'],
  ['level=error | «dedup host»', 'SPL', 'groupBy(host, function=tail(1))'],
  ['level=error | «fields a b»', 'SPL', 'select([a, b])'],
  ['level=error | «rex field=msg "user=(?<user>\\w+)"»', 'SPL', 'regex("user=(?<user>\\w+)", field=msg)'],
  ['error | «spath»', 'SPL', 'parseJson()'],
  ['error | «mvexpand items»', 'SPL', 'split(items)'],
  ['error | «rare host»', 'SPL', 'groupBy(host) | sort(order=asc)'],
  ['error | «inputlookup hosts.csv»', 'SPL', 'readFile("hosts.csv")'],
  ['error | «fillnull value=0 ms»', 'SPL', 'default(value=0, field=[ms])'],
  ['error | «bin span=5m _time»', 'SPL', 'bucket(span=5m)'],
  ['level=error | «limit 10»', 'SQL', 'head(10)'],
  ['level=error | «order by ms desc»', 'SQL', 'sort(ms, order=desc)'],
  ['error | «group by host»', 'SQL', 'groupBy(host)'],
  ['error | «having n > 5»', 'SQL', 'n > 5'],
  ['«host is null»', 'SQL', 'host!=*'],
  ['«host is not null»', 'SQL', 'host=*'],
  ['level=error | «take 10»', 'KQL', 'tail(10)'],
  ['level=error | «extend x = y»', 'KQL', 'x := y'],
  ['error | «project-away host»', 'KQL', 'drop([host])'],
  ['error | «distinct host»', 'KQL', 'groupBy(host, function=[])'],
  ['error | «mv-expand items»', 'KQL', 'split(items)'],
  ['error | «parse msg with "user=" user»', 'KQL', 'regex("(?<name>…)", field=msg)'],
  ['«msg contains "x"»', 'KQL', 'msg="*x*"'],
  ['«msg has "x"»', 'KQL', 'msg="*x*"'],
  ['«msg startswith "x"»', 'KQL', 'msg="x*"'],
  ['«msg endswith "x"»', 'KQL', 'msg="*x"'],
  ['«status between 400 and 500»', 'SQL or KQL', 'status >= 400 status <= 500'],
  ['«status between (400 .. 500)»', 'SQL or KQL', 'status >= 400 status <= 500'],
  ['level=error «&&» status=500', 'SPL, KQL or Lucene', 'and'],
  ['«level:error»', 'Lucene', 'level=error'],
  ['«level:"error"»', 'Lucene', 'level="error"'],
  ['«msg:/err/»', 'Lucene', 'msg=/err/'],
  ['«host:(a OR b)»', 'Lucene', 'in(host, values=[a, b])'],
  ['«_exists_:host»', 'Lucene', 'host=*'],
  ['«x = status * 2»', 'a comparison here', 'x := status * 2'],
];

/** The same for invalid queries. */
const ERRORS: readonly (readonly [query: string, language: string, write: string])[] = [
  [
    "«SELECT host, count(*) FROM logs WHERE level = 'error' GROUP BY host»",
    'SQL',
    'level = "error" | groupBy(host, function=count())',
  ],
  ['«select host, user from logs where status > 400 limit 10»', 'SQL', 'status > 400 | select([host, user])'],
  ['«count() as total»', 'SQL or SPL', 'count(as=total)'],
  ['error | «count(host) as total»', 'SQL or SPL', 'count(host, as=total)'],
  ['error | «fields - a, b»', 'SPL', 'drop([a, b])'],
  ['error | «stats count by host»', 'SPL', 'groupBy(host, function=count())'],
  [
    'error | «stats count, avg(ms) as mean by host, user»',
    'SPL',
    'groupBy([host, user], function=[count(), avg(ms, as=mean)])',
  ],
  ['error | «stats dc(user) as users»', 'SPL', 'count(user, distinct=true, as=users)'],
  ['error | «eval x=status*2»', 'SPL', 'x := status*2'],
  ['error | «timechart span=5m count by host»', 'SPL', 'timeChart(host, span=5m, function=count())'],
  ['error | «top limit=5 host»', 'SPL', 'top(host, limit=5)'],
  ['error | «table host, user»', 'SPL', 'table([host, user])'],
  ['error | «sort -ms»', 'SPL', 'sort(ms, order=desc)'],
  ['error | «head 10»', 'SPL', 'head(10)'],
  ['error | «rename a as b»', 'SPL', 'rename(a, as=b)'],
  ['error | «regex msg="x.*"»', 'SPL', 'msg=/x.*/'],
  [
    'error | «transaction session»',
    'SPL',
    'groupBy(session, function=session([count(), collect(@rawstring)]))',
  ],
  ['error | «top 5 by ms»', 'KQL', 'sort(ms, limit=5)'],
  ['error | «sort by ms desc»', 'KQL', 'sort(ms, order=desc)'],
  ['error | «project host, user»', 'KQL', 'select([host, user])'],
  ['error | «summarize n=count() by host»', 'KQL', 'groupBy(host, function=count(as=n))'],
  ['error | «render timechart»', 'KQL', 'timeChart()'],
  ['«msg matches regex "a/b"»', 'KQL', 'msg=/a\\/b/'],
  ["«status IN ('a', 400)»", 'SQL or KQL', 'in(status, values=["a", 400])'],
  ['«status not in [1, 2]»', 'SQL or KQL', '!in(status, values=[1, 2])'],
  ['«count(distinct host)»', 'SQL', 'count(host, distinct=true)'],
  [
    '«if(level == error) { x := 1 } else { x := 2 }»',
    'a script',
    'case { level = error | x := 1; * | x := 2 }',
  ],
  ['«status:[400 TO 500]»', 'Lucene', 'status >= 400 status <= 500'],
  ['«status:>=400»', 'Lucene', 'status >= 400'],
];

function parts(marked: string) {
  const [before = '', phrase = '', after = ''] = marked.split(/[«»]/);
  const span = { start: before.length, end: before.length + phrase.length };
  return { query: before + phrase + after, phrase, span };
}

test.each(WARNINGS)(
  'compileQuery() warns that the phrase in %s is %s and suggests %s',
  (marked, language, write) => {
    const { query, phrase, span } = parts(marked);
    const message = `${JSON.stringify(phrase)} is ${language}. Write ${write} instead.`;
    expect([...compileQuery(query).warnings]).toEqual([message]);
    const fix = write.includes('…') ? undefined : { span, text: write };
    expect(diagnose(query, parse(query))).toEqual([
      expect.objectContaining({ severity: 'warning', message, span, ...(fix && { fix }) }),
    ]);
  },
);

test.each(ERRORS)(
  'compileQuery() rejects %s because the phrase is %s, and suggests %s',
  (marked, language, write) => {
    const { query, phrase, span } = parts(marked);
    const error = refusalOf(query);
    expect(error.message).toBe(
      `${JSON.stringify(phrase)} is ${language}. Write ${write} instead (line 1, column ${span.start + 1})`,
    );
    expect(error).toMatchObject({ span });
  },
);

test.each([...WARNINGS, ...ERRORS].filter(([, , write]) => write !== 'and' && !write.includes('…')))(
  'the suggestion for %s (%s) compiles without a warning: %s',
  (_marked, _language, write) => {
    const files = { headers: ['a'], rows: [] };
    const library = {
      file: () => files,
      fileNames: () => [],
      savedQuery: () => undefined,
      savedQueryNames: () => [],
      repositoryNames: () => [],
    };
    expect([...compileQuery(write, { library }).warnings]).toEqual([]);
  },
);

test('each entry of FOREIGN_PHRASES has a case in this file', () => {
  const seen = new Set(
    [...WARNINGS, ...ERRORS].map(([marked]) => {
      const { phrase } = parts(marked);
      return FOREIGN_PHRASES.find(({ pattern }) =>
        pattern.test(phrase.replace(/"[^"]*"/g, (text) => `"${' '.repeat(text.length - 2)}"`)),
      )?.code;
    }),
  );
  expect(FOREIGN_PHRASES.map(({ code }) => code).filter((code) => !seen.has(code))).toEqual([]);
});

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
  ['msg=“hello”', 'The curly quotes in “hello” are part of the text. Write straight double quotes instead.'],
  ['# all errors', 'A comment starts with "//". After "#", the words of the line are searched for.'],
  ['-- all errors', 'A comment starts with "//". After "--", the words of the line are searched for.'],
])('compileQuery() warns about %s', (query, message) => {
  expect([...compileQuery(query).warnings]).toEqual([message]);
});

test.each([
  ['/(?<=a)b/', 'look-behind'],
  ['regex("(?<!a)b", field=x)', 'look-behind'],
  ['replace("(?<!a)b", with=x)', 'look-behind'],
  ['/(?<x>a)\\k<x>/', 'references to named groups'],
  ['msg=/a++/', 'possessive quantifiers'],
  ['msg=/a{1,2}+/', 'possessive quantifiers'],
  ['msg match { /(?>ab)/ => * }', 'atomic groups'],
])('compileQuery() warns that the service rejects the regular expression in %s: it has %s', (query, part) => {
  const [warning, ...others] = compileQuery(query).warnings;
  expect(warning).toContain(`The service rejects ${part}`);
  expect(others).toEqual([]);
});

test.each(['/[(?<=]/', '/\\(\\?>a\\+\\+/', '/a+\\+/', '/(?=a)(?:b)(?<c>d)/', '/[a-z+]+/', '/\\Qa++\\E/'])(
  'compileQuery() does not warn about the regular expression %s',
  (query) => {
    expect([...compileQuery(query).warnings]).toEqual([]);
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
