import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTimeLetter } from '../../src/engine/time/time-text.ts';
import { TIME_LETTERS } from '../../src/language/editor/argument-values.ts';
import {
  check,
  complete,
  describeFunction,
  functionList,
  highlight,
  hover,
  type KnownSource,
} from '../../src/language/index.ts';
import { cases } from '../helpers/laws.ts';
import { REALISTIC_QUERIES } from './realistic-queries.ts';

const SOURCE: KnownSource = {
  fields: [
    { name: 'level', values: ['error', 'warn'] },
    { name: 'latency' },
    { name: 'status', values: ['503', '1000', '200'] },
    { name: 'user name', values: ['Ann Lee'] },
    { name: '#type', values: ['web'] },
  ],
  savedQueries: [{ name: 'slow', description: 'Slow requests.' }, { name: 'my errors' }],
  files: [{ name: 'owners.csv', columns: ['host', 'team'] }],
};

/** The labels of the completions at `^`. */
function labelsAt(marked: string): string[] {
  const offset = marked.indexOf('^');
  return complete(marked.replace('^', ''), offset, SOURCE).map(({ label }) => label);
}

/** The query after selecting the first completion with this label. */
function chosen(marked: string, label: string): string | undefined {
  const query = marked.replace('^', '');
  const item = complete(query, marked.indexOf('^'), SOURCE).find((one) => one.label === label);
  return item && query.slice(0, item.span.start) + item.insert + query.slice(item.span.end);
}

describe('Completion suggests', () => {
  test.each([
    ['^', 'level', 'level'],
    ['^', 'user name', '"user name"'],
    ['le^', 'level', 'level'],
    ['error | gro^', 'groupBy', 'error | groupBy('],
    ['error | sq^', 'math:sqrt', 'error | math:sqrt('],
    ['level=^', 'error', 'level=error'],
    ['"user name"=^', 'Ann Lee', '"user name"="Ann Lee"'],
    ['"user name"="An^', 'Ann Lee', '"user name"="Ann Lee'],
    ['level=error a^', 'and', 'level=error and '],
    ['level=error and #^', '#type', 'level=error and #type'],
    ['groupBy(^', 'level', 'groupBy(level'],
    ['groupBy(^)', 'function', 'groupBy(function=)'],
    ['groupBy([level, la^', 'latency', 'groupBy([level, latency'],
    ['groupBy(level, function=^', 'max', 'groupBy(level, function=max('],
    ['groupBy(level, function=[count(), ma^', 'max', 'groupBy(level, function=[count(), max('],
    ['sort(latency, order=^', 'desc', 'sort(latency, order=desc'],
    ['sort(latency, order=desc, l^', 'limit', 'sort(latency, order=desc, limit='],
    ['in(level, values=[^', 'warn', 'in(level, values=[warn'],
    ['wildcard(level, ignoreCase=t^', 'true', 'wildcard(level, ignoreCase=true'],
    ['match(^', 'owners.csv', 'match("owners.csv"'],
    ['match(file="ow^', 'owners.csv', 'match(file="owners.csv'],
    ['x := ^', 'lower', 'x := lower('],
    ['x := 1 + la^', 'latency', 'x := 1 + latency'],
    ['$^', 'my errors', '$"my errors"()'],
    ['error | $sl^', 'slow', 'error | $slow()'],
    ['a=?{host=*} b=?^', 'host', 'a=?{host=*} b=?host'],
    ['groupBy(level) | _^', '_count', 'groupBy(level) | _count'],
    ['x := 1 | test(^', 'x', 'x := 1 | test(x'],
    ['case { level=^', 'warn', 'case { level=warn'],
    ['ty^', '#type', '#type'],
    ['error | ty^', '#type', 'error | #type'],
    ['match(file="owners.csv", column=^', 'team', 'match(file="owners.csv", column=team'],
    [
      'match("owners.csv", field=level, include=[te^',
      'team',
      'match("owners.csv", field=level, include=[team',
    ],
    ['ioc:lookup(ip, type=^', 'ip_address', 'ioc:lookup(ip, type=ip_address'],
    [
      'formatTime("%H", timezone=Europe/Cop^',
      'Europe/Copenhagen',
      'formatTime("%H", timezone="Europe/Copenhagen"',
    ],
    [
      'formatTime("%", timezone="Europe/Cop^',
      'Europe/Copenhagen',
      'formatTime("%", timezone="Europe/Copenhagen',
    ],
    ['formatTime("%^', '%H', 'formatTime("%H'],
    ['formatTime("%H:%^', '%H:%M', 'formatTime("%H:%M'],
    ['level match { ^', 'warn', 'level match { warn'],
    ['level match { error => x := 1; w^', 'warn', 'level match { error => x := 1; warn'],
    ['// a comment\n le^', 'level', '// a comment\n level'],
  ])('at %s: %s, and inserts %s', (marked, label, written) => {
    expect(labelsAt(marked)).toContain(label);
    expect(chosen(marked, label)).toBe(written);
  });

  test.each([
    ['groupBy(level) | l^', 'latency'],
    ['groupBy(level, function=^', 'lower'],
    ['// le^', 'level'],
    ['/* le^', 'level'],
    ['"le^', 'lower'],
    ['level > ^', 'level'],
    ['count(as=^', 'level'],
  ])('at %s: not %s', (marked, label) => {
    expect(labelsAt(marked)).not.toContain(label);
  });

  test('fields before functions in an assignment', () => {
    expect(labelsAt('x := ^').slice(0, 2)).toEqual(['level', 'latency']);
  });

  test('the letters that formatTime() knows', () => {
    for (const [letter, meaning] of Object.entries(TIME_LETTERS)) {
      expect(letter === '%%' || isTimeLetter(letter.slice(1)), letter).toBe(true);
      expect(meaning, letter).not.toBe('');
    }
  });

  test('a function with its usage and a sentence', () => {
    const [item] = complete('groupB', 6);
    expect(item).toEqual({
      kind: 'function',
      label: 'groupBy',
      insert: 'groupBy(',
      span: { start: 0, end: 6 },
      detail: 'groupBy(field, [function=count()], [limit=20000])',
      description: 'Groups events by the values of one or more fields and runs aggregates on each group.',
    });
  });

  test('a parameter with what it accepts', () => {
    const [item] = complete('groupBy(host, li', 16);
    expect(item).toMatchObject({
      kind: 'parameter',
      insert: 'limit=',
      description: 'An integer from 1 to 1000000, or max. Default: 20000.',
    });
  });
});

describe('Hover', () => {
  test.each([
    ['error | gro^upBy(host)', 'groupBy(field, [function=count()], [limit=20000])', 'Groups events by'],
    ['sort(x, li^mit=5)', 'sort(limit=…)', 'An integer from 1'],
    ['le^vel=error', 'level', 'Values: error, warn.'],
    ['sta^tus=200', 'status', 'Values: 200, 503, 1000.'],
    ['a=1 o^r b=2', 'or', 'One of the filters must match.'],
    ['$sl^ow()', '$slow', 'Slow requests.'],
    ['top(x) | case ^{ * }', undefined, ''],
    ['foo^ bar', undefined, ''],
    ['// groupBy^(x)', undefined, ''],
  ])('at %s shows %s', (marked, title, description) => {
    const found = hover(marked.replace('^', ''), marked.indexOf('^'), SOURCE);
    expect(found?.title).toBe(title);
    expect(found?.description ?? '').toContain(description);
  });
});

test('every function has help whose usage names each required parameter', () => {
  expect(functionList().length).toBeGreaterThan(150);
  for (const name of functionList()) {
    const help = describeFunction(name.toUpperCase());
    expect(help).toMatchObject({ name, description: expect.stringMatching(/\.$/) });
    for (const { name: parameter, isRequired } of help?.parameters ?? []) {
      if (isRequired === true) expect(help?.usage).toContain(parameter);
    }
  }
  expect(describeFunction('nonsense')).toBeUndefined();
});

function highlighted(query: string): string[] {
  return highlight(query).map(({ kind, span }) => `${kind} ${query.slice(span.start, span.end)}`);
}

test.each([
  [
    '// top\nlevel="a b" and not /x/i | n := count(as=c) // end',
    [
      'comment // top',
      'field level',
      'operator =',
      'string "a b"',
      'keyword and',
      'keyword not',
      'regex /x/i',
      'punctuation |',
      'field n',
      'operator :=',
      'function count',
      'punctuation (',
      'argument as',
      'operator =',
      'field c',
      'punctuation )',
      'comment // end',
    ],
  ],
  [
    '$q(a=1) | b > ?c',
    [
      'savedQuery $',
      'savedQuery q',
      'punctuation (',
      'argument a',
      'operator =',
      'number 1',
      'punctuation )',
      'punctuation |',
      'field b',
      'operator >',
      'variable ?',
      'variable c',
    ],
  ],
  ['x := "open', ['field x', 'operator :=', 'string "open']],
  ['a == b | c', ['text a', 'operator ==', 'field b', 'punctuation |', 'text c']],
  ['a=/b/xy', ['field a', 'operator =', 'regex /b/xy']],
  ['f( /* open', ['function f', 'punctuation (', 'comment /* open']],
])('%s is highlighted', (query, parts) => {
  expect(highlighted(query)).toEqual(parts);
});

test('highlighted parts are in order, do not overlap, and skip only whitespace', () => {
  const cut = fc.tuple(fc.constantFrom(...REALISTIC_QUERIES), fc.nat(), fc.nat());
  fc.assert(
    fc.property(cut, ([query, from, length]) => {
      const text = query.slice(from % (query.length + 1)).slice(0, length % (query.length + 1));
      let end = 0;
      for (const { span } of highlight(text)) {
        expect(text.slice(end, span.start)).toMatch(/^[\s\ufeff\u0085]*$/);
        expect(span.end).toBeGreaterThan(span.start);
        end = span.end;
      }
      expect(text.slice(end)).toMatch(/^[\s\ufeff\u0085]*$/);
    }),
    cases(50),
  );
});

test('no string and no position makes a language service fail', () => {
  const pieces = fc.constantFrom(
    'groupBy(',
    'a',
    '=',
    '"',
    '/',
    '[',
    '{',
    '|',
    ')',
    '}',
    ',',
    ' ',
    '$',
    '?',
    ':=',
    '//',
    '/*',
    'case {',
    'x=1',
    'count()',
    '\n',
    '“',
    "'",
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 15 }), fc.nat(60), (texts, offset) => {
      const query = texts.join('');
      for (const { fix, span } of check(query, { source: SOURCE })) {
        expect(span.end).toBeLessThanOrEqual(query.length);
        expect(fix === undefined || fix.span.end <= query.length).toBe(true);
      }
      complete(query, Math.min(offset, query.length), SOURCE);
      hover(query, offset, SOURCE);
      highlight(query);
    }),
    cases(60),
  );
});
