import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileQuery, type Fields } from '../../src/engine/index.ts';
import { maskPhrases } from '../../src/language/diagnostics/masked-text.ts';
import { splitOutside } from '../../src/language/diagnostics/mistakes/conversions.ts';
import { MISTAKES } from '../../src/language/diagnostics/mistakes/index.ts';
import { possibleIn } from '../../src/language/diagnostics/mistakes/mistake.ts';
import { check, fixQuery, parse, print, walk } from '../../src/language/index.ts';
import { resultFields } from '../../src/language/result-fields.ts';
import { isQuery } from '../../src/language/syntax-tree.ts';
import { lawCases } from '../helpers/laws.ts';
import { libraryOf } from './library.ts';
import { DOCUMENTED_MISTAKES, MISTAKE_CASES } from './mistake-cases.ts';
import { mistakePage } from './mistake-docs.ts';
import { EVENTS, HOSTILE_EVENTS, rowsText } from './mistake-rows.ts';

const CASES = Object.values(MISTAKE_CASES).flat() as [string, string | undefined, string?, string?][];
const FIXED = CASES.filter(([, write]) => write !== undefined) as [string, string, string, string][];
const WORDS = CASES.filter(([, write]) => write === undefined).map(([typed]) => [typed] as const);

test('the table has more than 680 mistakes, of which 520 have a fix, and each row of MISTAKES has one', () => {
  expect(CASES.length).toBeGreaterThan(680);
  expect(FIXED.length).toBeGreaterThanOrEqual(520);
  const typed = CASES.flatMap(([one]) => [one, ...one.split('|')].map((text) => maskPhrases(text).trim()));
  const unused = MISTAKES.filter(({ pattern, sticky, place }) => {
    const isFound = (text: string) =>
      pattern.test(text) || (place === 'test' && matchesAnywhere(sticky, text));
    return !typed.some(isFound);
  });
  expect(unused.map(({ words }) => words)).toEqual([]);
});

test('a mistake is possible in each text that its pattern matches', () => {
  for (const [typed] of lawCases(CASES, 150)) {
    const masked = maskPhrases(typed);
    const found = MISTAKES.filter(({ pattern }) => pattern.test(masked));
    expect(possibleIn(masked, found), typed).toEqual(found);
  }
});

function matchesAnywhere(sticky: RegExp, text: string): boolean {
  return [...text].some((_, index) => {
    sticky.lastIndex = index;
    return sticky.test(text);
  });
}

function fixed(typed: string): string {
  return fixQuery(typed, {}, ({ severity }) => severity !== 'info');
}

test.each(FIXED)('%s is fixed to %s, which returns the rows %s', (typed, write, rows, hostileRows) => {
  const [first] = check(typed);
  expect(first).toHaveProperty('fix');
  expect(fixed(typed)).toBe(write);
  expect(check(write).filter(({ severity }) => severity !== 'info')).toEqual([]);
  expect(rowsText(write)).toBe(rows);
  expect(rowsText(write, HOSTILE_EVENTS)).toBe(hostileRows);
});

test.each(FIXED)('all rows of %s are kept by %s, also if there are more than 200', (typed, write) => {
  const unlimited: string[] = [];
  walk(parse(write), {
    Call(call) {
      const isLimited = call.arguments.some(({ name }) => name?.name === 'limit');
      const text = print(call).replace(/\)$/, '');
      const isTyped = typed.toLowerCase().includes(`${call.name.toLowerCase()}(`);
      if (/^(?:sort|table)$/.test(call.name) && !isLimited && !isTyped) unlimited.push(text);
    },
  });
  expect(unlimited).toEqual([]);
});

/** Calls of several languages, as what to sort, group or show. */
const CALLED =
  'lower(user) tolower(user) toint(ms) num(ms) LENGTH(user) strlen(user) ABS(ms) todatetime(TimeGenerated) avg(ms) dc(user) tostring(ms)'.split(
    ' ',
  );
const CALL_USERS = [
  ...'sort by ~ desc, order by host asc, ~, top 2 by ~, project ~, project host, ~, distinct ~, summarize count() by ~'
    .split(/, (?!~)/)
    .map((step) => `T | where ms > 1 | ${step}`),
  ...'sort ~; sort 2 -~; sort - "~"; table ~; fields ~; top ~; dedup ~; stats count by ~'
    .split('; ')
    .map((step) => `index=main | ${step}`),
  'SELECT * FROM logs ORDER BY ~ DESC LIMIT 1',
  'SELECT ~ FROM logs',
  'SELECT DISTINCT ~ FROM logs',
  'SELECT ~, count(*) FROM logs GROUP BY ~',
  'level=error ORDER BY ~',
  'FROM logs | SORT ~ DESC | LIMIT 2',
  'FROM logs | STATS n = COUNT(*) BY ~',
  'FROM logs | KEEP ~',
];
const CALL_QUERIES = CALL_USERS.flatMap((query) => CALLED.map((call) => query.replaceAll('~', call)));

const KQL_CALLS =
  'count()|count(ms)|dcount(user)|countif(ms > 20)|countif(status >= 400)|avg(ms)|avg(tolong(status))|percentile(ms, 50)|percentile(ms, 95)|make_set(user)|n=max(ms)|max(ms)';
const SPL_CALLS =
  'count|count(ms)|dc(user)|count(eval(ms>20))|count(eval(status>=400))|avg(ms)|avg(status)|p50(ms)|p95(ms)|values(user)|latest(user)|max(ms) as n|max(_time)';
const pairsOf = (calls: string) =>
  calls.split('|').flatMap((one) => calls.split('|').map((other) => [one, other] as const));
const LIST_QUERIES = [
  ...pairsOf(KQL_CALLS).map(([one, other]) => `T | where ms > 1 | summarize ${one}, ${other} by host`),
  ...pairsOf(SPL_CALLS).flatMap(([one, other]) => [
    `index=main | stats ${one} ${other} by host`,
    `index=main | timechart span=5m ${one}, ${other}`,
  ]),
];

/** Names with parentheses that are no field, and names that functions of a list write with different values. */
function wrongNamesIn(query: string): readonly string[] {
  const wrong: string[] = [];
  walk(parse(query), {
    Call({ name, arguments: given, span }) {
      if (!/^(?:sort|table|groupBy|select)$/.test(name)) return;
      const fields = query.slice(span.start, given[1]?.span.start ?? span.end).match(/"\w+\([^"]*\)"/g) ?? [];
      wrong.push(...fields.filter((field) => !query.slice(0, span.start).includes(field)));
    },
    Array({ elements }) {
      const names = [...new Set(elements.map((one) => print(one)))].flatMap((text) => {
        const fields = /[({]/.test(text) ? resultFields(`groupBy(id, function=${text})`) : undefined;
        return [...(fields?.keys() ?? [])].filter((field) => field !== 'id');
      });
      wrong.push(...names.filter((one, place) => names.indexOf(one) !== place));
    },
  });
  return wrong;
}

test.each([
  ...FIXED.map(([, write]) => write),
  ...lawCases([...CALL_QUERIES, ...LIST_QUERIES], 100).map(fixed),
])('no step of %s reads a call as a field, or writes a field twice', (query) => {
  expect(isQuery(query) ? wrongNamesIn(query) : []).toEqual([]);
});

test('most lists of two aggregates have a fix, and casts to numbers in sort()', () => {
  const changed = lawCases(LIST_QUERIES, 20).filter((query) => fixed(query) !== query);
  expect(changed.length).toBeGreaterThan(15);
  expect(fixed('T | where ms > 1 | top 2 by toint(ms)')).toBe('ms > 1 | sort(ms, order=desc, limit=2)');
});

/** Events whose values have `mark` around them, and between their words. */
const marked = (mark: string): readonly Fields[] =>
  [(value: string) => `x${mark}${value}${mark}y`, (value: string) => value.replaceAll(' ', mark)].flatMap(
    (mark, index) =>
      EVENTS.map(({ id, '@timestamp': time, ...event }) => ({
        id: `${id}${index}`,
        '@timestamp': time!,
        ...Object.fromEntries(Object.entries(event).map(([name, value]) => [name, mark(value)])),
      })),
  );

// What collect() joins and splitString() splits has lines of its own.
const NOT_SPLIT = FIXED.filter(([, write]) => !write.includes('by="\\n"'));

test.each(lawCases(NOT_SPLIT, 120))(
  'a newline in a value is a character like others for the fix of %s: %s',
  (_typed, write) => {
    const rows = (mark: string): string => rowsText(write, marked(mark)).replaceAll(mark, '+');
    expect(rows('\n')).toBe(rows('\u00a0'));
  },
);

/** Cases of languages in which `*` in a quoted value is a character: not of regular expressions, SPL's search and this one. */
const QUOTED = FIXED.flatMap(([typed]): [string, string][] => {
  const [, word = ''] = /["'](error|timeout|db|web-1)["']/.exec(typed) ?? [];
  const isPattern =
    /regex|rlike|~|\btest\(|grep|match\(|search|has_all|^(?:not )?level (?:NOT )?[Ii][Nn] |^[^|]*\w`? ?!?= ?["']/.test(
      typed,
    );
  return word === '' || (isPattern && !/^(?:SELECT|WHERE|\{)/.test(typed)) ? [] : [[typed, word]];
});

test('more than 50 cases have a value in quotes', () => {
  expect(QUOTED.length).toBeGreaterThan(50);
});

test.each(QUOTED)('a star in a value of %s is a character: %s', (typed, word) => {
  const events = (text: string): Fields[] =>
    EVENTS.map((event) =>
      Object.fromEntries(Object.entries(event).map(([name, value]) => [name, value.replaceAll(word, text)])),
    );
  const starred = word.replace(/^./, '$&*');
  const query = fixed(typed.replaceAll(word, starred));
  const rows = (text: string): string => rowsText(query, events(text)).replaceAll(text, word);
  expect(rows(starred), query).toBe(rowsText(fixed(typed)));
  expect(rows(word.replace(/^./, '$&-')), query).toBe(rows('other'));
});

/** What is written for these finds none of the events on purpose, or names what they don't have. */
const WITHOUT_ROWS: readonly string[] = [
  'host IS NULL',
  'level=ERROR limit 2',
  'level=error and x=/a and b in (c)/ | where msg = "x is null" // limit 5',
  'host|exists: false',
  'host.name : web-1',
  'level:null',
  '{host=~"web.*", level!~"info|warn"} |= `time*`',
  '{host="web*"}',
  'Msg.length > 2',
  'msg=“timeout”',
  "level='a' // it's 'x' == y",
  'path=/etc/passwd',
  'host=/*.b/',
];

test('every fix finds rows, except those that look for none', () => {
  const empty = FIXED.filter(([, , rows]) => rows === '').map(([typed]) => typed);
  expect(empty).toEqual(WITHOUT_ROWS);
});

/** Filters of other languages, alone. */
const OPERANDS = FIXED.filter(([typed]) =>
  MISTAKES.some(({ place, sticky }) => {
    sticky.lastIndex = 0;
    return place === 'test' && sticky.exec(maskPhrases(typed))?.[0].length === typed.length;
  }),
);

test.each(OPERANDS)('not(%s) keeps the events that %s does not', (typed, write) => {
  const idsOf = (query: string) =>
    rowsText(query, [...EVENTS, ...HOSTILE_EVENTS])
      .split('; ')
      .filter(Boolean)
      .sort();
  const kept = idsOf(write);
  const left = idsOf(fixed(`not(${typed})`));
  expect([...kept, ...left].sort()).toEqual(idsOf('*'));
});

const LISTED = String.raw`web|db*|web?1|*\\cmd.exe|a\ b|a\*b|"a*b"|"C:\\cmd.exe"|10.0.0.0/8`.split('|');
const VALUES = String.raw`web|db3|db*|web11|web?1|C:\cmd.exe|*\cmd.exe|a b|a*b|axb|10.1.2.3|10.0.0.0/8`.split(
  '|',
);

test.each(LISTED)('a list of Lucene with %s and another value has the rows of either', (one) => {
  const events = VALUES.map((value, index): Fields => ({ id: `${index}`, path: value, msg: value }));
  for (const field of ['path', 'msg'])
    for (const other of LISTED) {
      const idsOf = (value: string) => rowsText(fixed(`${field}:${value}`), events).split('; ');
      const either = new Set([...idsOf(one), ...idsOf(other)]);
      expect(new Set(idsOf(`(${one} or ${other})`)), `${field} ${other}`).toEqual(either);
      expect(either, `${field} ${other}`).not.toContain('');
    }
});

test.each(WORDS)('%s is reported in words, without a fix', (typed) => {
  const [first] = check(typed);
  expect(first).toBeDefined();
  expect(first).not.toHaveProperty('fix');
  expect(first!.message).toMatch(/[Ww]rite |Set |Leave |Did you mean |put /);
});

test.each(lawCases(CASES, 250))('%s is reported when it runs', (typed) => {
  let problems: readonly string[];
  try {
    problems = [...compileQuery(typed).warnings];
  } catch (error) {
    problems = [(error as Error).message];
  }
  expect(problems).not.toEqual([]);
});

test.each([
  ['x := substr(msg, 0, 3)', 'Write text:substring(msg, begin=0, end=3).'],
  ['T | extend a=substring(msg,0,3)', 'Write text:substring(msg, begin=0, end=3).'],
  ['* | bin span=100 ms', 'Write ms := ms - (ms % 100).'],
  ['x := extract("user=(.*)", 1, msg)', 'Write regex("(?<name>.+)", field=msg).'],
  ['| eval t=strptime(ts, "%Y")', 'Write parseTimestamp("yyyy-MM-dd HH:mm:ss", field=ts).'],
  ['x := replace(msg, "a", "b")', 'name the other arguments: with=…, field=…, flags=….'],
  ['x := toint(ms) + 1', 'Write ms: values are numbers if possible.'],
  ['x := constructor(ms)', 'There is no function "constructor".'],
  ['| stats list(user) by host', 'Write collect(user).'],
  ['| stats earliest(user) by host', 'Write selectFromMin(@timestamp, include=[user]).'],
  ['| stats first(user) by host', 'Write selectLast(user).'],
  ['* | eval x=strftime(start, "%H")', 'Write formatTime("%Y-%m-%d", field=start).'],
  ['* | eval d=strftime(_time,"%Y-%m-%d"), e=lower(user)', 'formatTime("%Y-%m-%d", field=@timestamp)'],
  ['T | where a == 1 | extend h = hourofday(TimeGenerated)', 'h := time:hour()'],
  ['* | eval x=substr(cmd,1,4)', 'Write text:substring(cmd, begin=0, end=4).'],
  ['* | eval h=tonumber(strftime(_time,"%H"))', 'Write h := time:hour() instead.'],
  ['* | eval x=mvindex(split(image,"\\\\"),-1)', 'field=image).'],
  ['* | eval r=case(a=1,"x",true(),"y")', 'Write case { a=1 | r := "x"; * | r := "y" } instead.'],
  ['* | rare host by user', 'Write groupBy(field) | sort(_count, order=asc, limit=10).'],
  ['* | top limit=2 host showperc=f', '"top limit=2 host showperc=f" is SPL. Write top(field, limit=10).'],
  ['Logs | where dur < 5m', '"dur < 5m" is KQL. Write milliseconds: 5m is 300000.'],
  ['* | stats sum(ms) as b by host | where b = 0', 'instead. A sum of no numbers is 0.'],
  [
    'index=win | eval user=lower(target)',
    'instead: the repository is chosen where the query runs. An absent',
  ],
  ['T | project user = target', 'An absent value keeps the old one.'],
  ['T | extend user = iff(ms > 5, target, "x")', 'An absent value keeps the old one.'],
  ['T | extend user = extract("user=(.*)", 1, msg)', 'An absent value keeps the old one.'],
  ['* | stats count by host | eval host=_count*2', 'An absent value keeps the old one.'],
  ['* | stats stdev(ms) as d by host | eval host=d', 'can differ. An absent value keeps the old one.'],
  ['event=a [search event=b | fields user]', 'match(table=t, field=user), or join('],
  ['let bad = T | distinct user; T | where user in (bad)', 'A table is defineTable('],
  ['* | join user [search event=x]', 'field=user, include=[a, b]).'],
  ['wildcard(msg, pattern="*x*")', 'once without the name; name the other arguments: field=…'],
  ['drop(user ip)', 'separate values by commas'],
  ['event=a user=alice or bob', '"bob" is searched for in all fields here.'],
  ['* | eval x=mvindex(tags, 0)', 'Write tags[0].'],
  ['* | eval x=tostring(ms, "commas")', 'Write ms, or format("%,d", field=ms).'],
  ['* | where mvcount(tags) > 1', 'Write test(array:length("tags[]") > 1).'],
  ['* | where src!=dst', 'To compare fields, write test(src != dst).'],
  ['| transaction host maxspan=5m', 'Write groupBy([host], function=series('],
  ['| transaction user, host', 'Write groupBy([user, host], function=session('],
  ['* | groupBy(host) | timeChart(function=count())', 'No row has the field "@timestamp" here'],
  ['x := substring(m, 2, 3)', 'Write text:substring(m, begin=2, end=5).'],
  ['countDistinct(ip)', 'Write count(ip, distinct=true).'],
  ['FROM a, b METADATA _id | STATS c = COUNT(*) BY host', 'is ES|QL.'],
  ['T | summarize arg_min(ms, *) by host', 'Write groupBy(key, function=selectFromMin('],
  ['| streamstats count by host', 'groupBy(host, function=accumulate(count()))'],
  ['* | where lower(user)="ALICE"', 'Write user=/\\Avalue\\z/i: lower() returns no such letters.'],
  ['Logs | lookup hosts on host', 'is KQL.'],
  ['Logs | parse msg with "a " b', 'field=msg).'],
  ['let t = 5; Logs | where ms > t', 'in place of t.'],
  ['index=main | othercommand t=0.9', 'There is no equivalent of "othercommand t=0.9" here'],
  ['index=main | cluster t=0.9', '"cluster t=0.9" is SPL.'],
  ['* | stats count by host | search x', 'Free text is only allowed before the first aggregate'],
  ['index=main | table host | search level=a', 'No row has the field "level" here'],
  ['| makeresults | eval x=1', '"makeresults" is SPL.'],
  ['| iplocation src', 'Write ipLocation(src): it writes src.country'],
  ['| eventstats count by host', 'Write join({ groupBy(host, function=count()) }, field=host,'],
  ['`errors(host)`', 'Write $errors()'],
  ['| bin ms span=100', 'Write ms := ms - (ms % 100).'],
  ['| eval hash=md5(file)', 'Write crypto:md5(file).'],
  ['| stats stdev(ms) by host', 'Results of few values can differ.'],
  ['index=main host=x', 'Write host=/\\Ax\\z/i instead: the repository is chosen where the query runs.'],
  ['level == "error"\n| stats count', 'Write level=/\\Aerror\\z/i | count() instead.'],
  ['| stats p95(ms) by host', 'Results of few values can differ.'],
  ['| stats count, values(user) by host', 'Values are not sorted.'],
  ['| stats max(_time) as last by user | where last > 5', 'There is no exact equivalent of "last > 5".'],
  ['| lookup hosts.csv host OUTPUTNEW team', 'include=team, strict=false): it replaces values of team.'],
  ['T | extend kb = bytes / 1024', 'Write bytes / 1024: the fraction stays.'],
  ['T | extend age = now()-TimeGenerated', 'Write now()-@timestamp: times are in milliseconds.'],
  ['* | eval t=now()-300', 'Write now()-300: times are in milliseconds.'],
  ['T | extend p = prev(ms)', 'Write sort(@timestamp, order=asc, limit=max) | neighbor(ms, prefix=prev).'],
  [
    'T | summarize dcountif(user, ms > 5) by host',
    'Write [{ filter | count(user, distinct=true, as=n) }, count()].',
  ],
  ['T | extend b = bin(ms, 10)', 'Write ms - (ms % 100).'],
  [
    '* | eval a=1, b=case(ms>5, user, 1=1, "x")',
    'Write case { filter | field := value; * | field := value }.',
  ],
  [
    '* | streamstats current=f last(_time) as prev by user',
    '| neighbor(field, prefix=prev) for the row before.',
  ],
  ['ms > 200ms', 'Write ms > 200: numbers have no unit.'],
  ['groupBy(host, function=count(ms>5, as=n))', 'groupBy(key, function=[{ ms>5 | count(as=n) }, count()])'],
])('the message for %s has the names in the query: %s', (query, part) => {
  expect(check(query)[0]!.message).toContain(part);
});

test.each([
  '* | eval ms=ms/1000',
  '* | eval slow=if(ms>100,"yes","no")',
  '* | eval minute=strftime(_time, "%H:%M")',
  '* | stats count by host | eval n=count*2',
  '* | rex "user=(?<user>.*)"',
  'T | extend user = strcat(host, "-", level)',
  'x = ms * 2',
])('no message says that an absent value keeps the old one if it can not: %s', (query) => {
  expect(check(query)[0]).toHaveProperty('fix');
  expect(check(query)[0]!.message).not.toContain('keeps the old one');
});

test.each(lawCases(CASES, 250))(
  'what the messages for %s say to write is a valid query, or a part of one',
  (typed) => {
    for (const { message } of check(typed))
      for (const text of proposalsIn(message)) {
        const queries = [text, `x := ${text}`, `groupBy(key, ${text})`];
        expect(queries.map(problemOf), message).toContain(undefined);
      }
  },
);

test.each([
  ...new Set(
    MISTAKES.flatMap(({ words }) =>
      proposalsIn(words.replace(/index=\$\d/, 'index=0').replace(/\$\d/g, 'field')),
    ),
  ),
])('%s, which a table says to write, is a valid query', (text) => {
  expect([text, `groupBy(key, ${text})`].map(problemOf)).toContain(undefined);
});

/** What "write" is followed by, alternative by alternative, without the words around it. */
function proposalsIn(message: string): readonly string[] {
  const sentences = [...message.matchAll(/\b[Ww]rite (.*?)\.(?= [A-Z]|$)/g)].map(([, text = '']) => text);
  return sentences
    .map((text) =>
      text.replace(
        / instead\b.*|: (?![^(]*\)).*| (?:before|between|in place|where(?! :=)|to extract|without|for) .*$/,
        '',
      ),
    )
    .flatMap((text) => (problemOf(text) === undefined ? [] : splitOutside(text, /, or | or |, /)))
    .filter((text) => /^(?!"\W|(?:its|one|stats\(\) as)\b).*[=(]/.test(text));
}

const LIBRARY = libraryOf({
  files: {
    hosts: ['host,team'],
    'hosts.csv': ['host,team,id'],
    'lookup.csv': ['field,key'],
    value: ['field'],
    field: ['field'],
  },
  savedQueries: { macro: '*', field: '*' },
});

/** Why a query, in which words stand for others, is rejected, or what is wrong in it. */
function problemOf(text: string): string | undefined {
  const query = text.replace(/\{ other query \}/g, '{ x=1 }').replace(/^\|/, '');
  try {
    compileQuery(query, { library: LIBRARY });
  } catch (error) {
    return (error as Error).message;
  }
  return check(query).find(({ severity }) => severity !== 'info')?.message;
}

test('docs/other-languages.md shows at most 20 rows of the table per language', async () => {
  const file = new URL('../../docs/other-languages.md', import.meta.url);
  const [handWritten = ''] = readFileSync(file, 'utf8').split(mistakePage.marker);
  const page = `${handWritten}${mistakePage.marker}\n\n${mistakePage.tables(DOCUMENTED_MISTAKES)}\n`;
  await expect(page).toMatchFileSnapshot(file.pathname);
  expect(Math.max(...Object.values(DOCUMENTED_MISTAKES).map(({ length }) => length))).toBeLessThanOrEqual(20);
});
