import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Fields } from '../../src/engine/event.ts';
import { compileEventScript } from '../../src/engine/event-script.ts';
import { backtrackingMatcher } from '../../src/engine/regex/backtracking-matcher.ts';
import { nativeRegex } from '../../src/engine/regex/native-regex.ts';
import { compileRegex, resetsGroupsDifferently } from '../../src/engine/regex/regex.ts';
import { SearchBudget } from '../../src/engine/run/search-budget.ts';
import { RegexError } from '../../src/language/regex/regex-error.ts';
import { parseRegex, type RegexModes } from '../../src/language/regex/regex-parser.ts';
import type { ParsedRegex } from '../../src/language/regex/regex-syntax.ts';
import { useFewSearchSteps } from '../helpers/few-search-steps.ts';
import { cases } from '../helpers/laws.ts';
import { libraryOf } from './library.ts';
import { allMatches, expressions, modes, subjects } from './regex-expressions.ts';
import { REGEX_IDIOMS } from './regex-idioms.ts';
import { runOf } from './run-query.ts';

const TEXT_LENGTH = 10_000;

/** The matches of an expression, as the own matcher finds them. */
function matchesOf(body: string, text: string, flags: RegexModes = PLAIN): unknown[] {
  const { root, groupCount } = parseRegex(body, flags);
  return allMatches(backtrackingMatcher(root, groupCount, body), text);
}

const PLAIN = { ignoreCase: false, multiline: true, dotAll: false };

describe('The table of idioms', () => {
  test('has at least 60 different expressions', () => {
    expect(new Set(REGEX_IDIOMS.map(({ name }) => name)).size).toBe(REGEX_IDIOMS.length);
    expect(new Set(REGEX_IDIOMS.map(({ body }) => body)).size).toBeGreaterThanOrEqual(60);
  });

  test.each(REGEX_IDIOMS)('$name is decided on 10 kB', ({ body, flags = '', piece, end = '', matches }) => {
    const text = piece.repeat(Math.ceil(TEXT_LENGTH / piece.length)) + end;
    const run = { searches: new SearchBudget() };
    expect(compileRegex({ body, flags: `m${flags}` }).test(text, run)).toBe(matches);
    expect(run.searches.undecided.size).toBe(0);
  });

  test.each(REGEX_IDIOMS)(
    '$name finds the same matches as the native engine',
    ({ body, flags = '', piece, end = '' }) => {
      const text = piece.repeat(3) + end;
      const parsed = parseRegex(body, { ...PLAIN, ignoreCase: flags.includes('i') });
      const own = backtrackingMatcher(parsed.root, parsed.groupCount, body);
      if (resetsGroupsDifferently(parsed.root)) return;
      expect(allMatches(own, text)).toEqual(allMatches(nativeRegex(parsed.root)!, text));
    },
  );
});

describe('The matcher', () => {
  useFewSearchSteps();
  test.each([
    ['a group keeps its value between repetitions', '(?:(a)|(b))+(?=c)', 'abc', [[0, 'ab', 'a', 'b']]],
    ['the last repetition sets a group', '(?:(\\w),?)+(?=;)', 'a,b,c;', [[0, 'a,b,c', 'c']]],
    ['a first repetition may be empty', '(a*)*(?=b)', 'b', [[0, '', '']]],
    [
      'a later repetition may be empty, too',
      '(a|b??)*(?=c)',
      'ac',
      [
        [0, 'a', ''],
        [1, '', ''],
      ],
    ],
    [
      'an empty repetition ends a loop',
      '(|a)+(?=a)',
      'aa',
      [
        [0, '', ''],
        [1, '', ''],
      ],
    ],
    [
      'an optional part may be empty',
      '((b)*?)?(?!x)',
      'b',
      [
        [0, '', '', undefined],
        [1, '', '', undefined],
      ],
    ],
    [
      'required repetitions may be empty',
      '(?:a?){3}(?=b)',
      'ab',
      [
        [0, 'a'],
        [1, ''],
      ],
    ],
    [
      'an atomic group gives nothing back',
      '(?>a+)ab|a',
      'aab',
      [
        [0, 'a'],
        [1, 'a'],
      ],
    ],
    ['a possessive quantifier gives nothing back', 'a++ab|b', 'aab', [[2, 'b']]],
    ['an atomic group can stand in look-behind', '(?<=(?>ab))c', 'abc', [[2, 'c']]],
    ['look-behind reads from right to left', '(?<=(\\d+)(\\d+))$', '1053', [[4, '', '1', '053']]],
    [
      'look-behind can read any number of characters',
      '(?<=^k: .*)b',
      'k: a b b',
      [
        [5, 'b'],
        [7, 'b'],
      ],
    ],
    ['a group in look-ahead keeps its value', '(?=(\\w+))\\1:', 'ab:', [[0, 'ab:', 'ab']]],
    ['a group in negative look-ahead has no value', '(?!(a)x)a', 'ab', [[0, 'a', undefined]]],
    ['a group is undone when its look-ahead is left', '(?:(?=(a))ab|(?:a))c', 'ac', [[0, 'ac', undefined]]],
    ['a reference to a group without a value is empty', '(?:(a)|b)\\1c', 'bc', [[0, 'bc', undefined]]],
    ['a reference can ignore case', '(é)(?i:\\1)(?=!)', 'éÉ!', [[0, 'éÉ', 'é']]],
    ['only the marked part ignores case', '(?i:a)b(?!c)', 'AB Ab', [[3, 'Ab']]],
    ['a dot is a whole character', '^.(?=b)', '😀b', [[0, '😀']]],
    ['look-behind reads a whole character', '(?<=^.)b', '😀b', [[2, 'b']]],
    ['a property is a set of characters', '\\p{Lu}+(?!\\p{Lu})', 'aÄÖb', [[1, 'ÄÖ']]],
    ['all line breaks end a line', '^b$(?=\\s)', 'a\u2028b\nc', [[2, 'b']]],
  ])('%s', (_, body, text, expected) => {
    expect(matchesOf(body, text)).toEqual(expected);
  });

  test('dot and anchors follow the flags', () => {
    expect(matchesOf('^b(?!c)', 'a\nb', { ...PLAIN, multiline: false })).toEqual([]);
    expect(matchesOf('a.b(?!c)', 'a\nb', { ...PLAIN, dotAll: true })).toEqual([[0, 'a\nb']]);
  });

  test('finds the same matches as the native engine', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        expressions(true),
        modes,
        fc.array(subjects, { minLength: 1, maxLength: 5 }),
        (body, flags, texts) => {
          const parsed = parsedOrNot(body, flags);
          if (parsed === undefined || resetsGroupsDifferently(parsed.root)) return;
          const native = nativeRegex(parsed.root);
          if (native === undefined) return;
          const own = backtrackingMatcher(parsed.root, parsed.groupCount, body);
          for (const text of texts) {
            compared += 1;
            expect(allMatches(own, text)).toEqual(allMatches(native, text));
          }
        },
      ),
      cases(150),
    );
    expect(compared).toBeGreaterThan(40);
  });

  test('spends no more than its budget', () => {
    fc.assert(
      fc.property(expressions(true), fc.constantFrom('a', 'ab', ' a', 'aé', 'A\n'), (body, piece) => {
        const parsed = parsedOrNot(body, PLAIN);
        if (parsed === undefined) return;
        const own = backtrackingMatcher(parsed.root, parsed.groupCount, body);
        const searches = new SearchBudget();
        const spend = vi.spyOn(searches, 'spend');
        const verdict = own.test(`${piece.repeat(2000)}!`, { searches });
        expect(searches.undecided.size).toBe(verdict === undefined ? 1 : 0);
        expect(spend.mock.calls[0]?.[0] ?? 0).toBeLessThanOrEqual(SearchBudget.maxValueSteps + 10_000);
      }),
      cases(15),
    );
  });
});

test('a value may need two million steps', () => {
  expect(new SearchBudget().allow(10, 0)).toBe(2_000_000);
});

function parsedOrNot(body: string, flags: RegexModes): ParsedRegex | undefined {
  try {
    return parseRegex(body, flags);
  } catch (error) {
    if (error instanceof RegexError) return undefined;
    throw error;
  }
}

/** What follows a reference can't be remembered. */
const HOSTILE = '^(a|aa)+\\1[xy]';
const IN_QUOTES = '^(a|aa)+\\\\1[xy]';
const LONG = 'a'.repeat(3000);

describe('An undecided value', () => {
  useFewSearchSteps();
  const events = [
    { f: LONG, n: '1', 'l[0]': LONG, '@rawstring': LONG },
    { f: 'aax', n: '2', 'l[0]': 'aax', '@rawstring': 'aax' },
    { f: 'b', n: '3', 'l[0]': 'b', '@rawstring': 'b' },
  ];
  /** The values of `n` in the result. */
  const numbers = (query: string, given: readonly Fields[] = events): string[] =>
    runOf(query, given)
      .rows()
      .map((row) => (row as { n: string }).n)
      .sort();

  test.each([
    [`f=/${HOSTILE}/`, `f!=/${HOSTILE}/`],
    [`f like /${HOSTILE}/`, `not f like /${HOSTILE}/`],
    [`/${HOSTILE}/`, `not /${HOSTILE}/`],
    [`regex("${IN_QUOTES}", field=f)`, `not regex("${IN_QUOTES}", field=f)`],
    [`array:regex("l[]", regex="${IN_QUOTES}")`, `not array:regex("l[]", regex="${IN_QUOTES}")`],
    [
      `array:exists("l[]", condition={ l=/${HOSTILE}/ })`,
      `not array:exists("l[]", condition={ l=/${HOSTILE}/ })`,
    ],
    [`f=/${HOSTILE}/ and n=*`, `not (f=/${HOSTILE}/ and n=*)`],
  ])('passes neither %s nor %s', (filter, negation) => {
    // Free text searches every field.
    const given = filter.startsWith('/') ? events.map(({ n, f }) => ({ n, '@rawstring': f })) : events;
    expect(numbers(filter, given)).toEqual(['2']);
    expect(numbers(negation, given)).toEqual(['3']);
  });

  test('passes a filter that does not depend on it', () => {
    expect(numbers(`f=/${HOSTILE}/ or n=1`)).toEqual(['1', '2']);
    expect(numbers(`not (f=/${HOSTILE}/ and n=2)`)).toEqual(['1', '3']);
    expect(numbers(`array:regex("l[]", regex="${IN_QUOTES}|b")`, [{ ...events[0]!, 'l[1]': 'b' }])).toEqual([
      '1',
    ]);
  });

  test.each([
    `case { f=/${HOSTILE}/ | k:="x"; * | k:="y" }`,
    `case { not f=/${HOSTILE}/ | k:="x"; * | k:="y" }`,
    `case { f=/${HOSTILE}(?<g>.?)/ | k:="x"; * | k:="y" }`,
    `case { f=/${HOSTILE}(?<g>.?)/g | k:="x"; * | k:="y" }`,
    `case { regex("${IN_QUOTES}", field=f) | k:="x"; * | k:="y" }`,
    `f match { /${HOSTILE}/ => k:="x"; * => k:="y" }`,
  ])('takes no arm of %s', (query) => {
    expect(numbers(`${query} | k=*`)).toEqual(['2', '3']);
  });

  test('is not changed by replace() and splitString()', () => {
    const [event] = events;
    expect(runOf(`f := replace("${IN_QUOTES}", with="-", field=f)`, [event!]).rows()).toEqual([event]);
    expect(runOf(`splitString(f, by="${IN_QUOTES}", as=p)`, [event!]).rows()).toEqual([event]);
  });

  test('is counted in a warning that names the expression', () => {
    const run = runOf(`f=/${HOSTILE}/`, [...events, { f: `${LONG}a` }]);
    expect(run.rows()).toHaveLength(1);
    expect(run.warnings).toEqual([
      'The result is incomplete: the regular expression /^(a|aa)+\\1[xy]/ needs too many steps for 2 values. Filters drop such events, also if they are negated. Use fewer nested or overlapping repetitions, or filter long values out first.',
    ]);
    const aggregate = runOf(`f=/${HOSTILE}/ | count()`, events);
    expect(aggregate.rows()).toEqual([{ _count: '1' }]);
    expect(aggregate.warnings).toEqual([expect.stringContaining('for 1 value.')]);
    expect(runOf(`join({ f=/${HOSTILE}/ }, field=n)`, events).warnings).toEqual([
      expect.stringContaining('for 1 value.'),
    ]);
  });

  test('makes a parser keep the event as it is, with an error', () => {
    const script = compileEventScript(`f=/${HOSTILE}/`, libraryOf({}), 10).start(0);
    expect(script(events[1]!)).toEqual([events[1]]);
    expect(() => script(events[0]!)).toThrow(/The regular expression .* needs too many steps\. Use fewer/);
  });
});

test('a run whose budget is spent leaves further values undecided at once, and returns what it has', () => {
  const searches = new SearchBudget();
  searches.spend(Number.POSITIVE_INFINITY);
  const regex = compileRegex({ body: '(?=(\\w+))\\1[:;]', flags: '' });
  expect(regex.test('a'.repeat(100_000), { searches })).toBeUndefined();
  expect(regex.test('b'.repeat(100_000), { searches })).toBeUndefined();
  expect(searches.undecided).toEqual(new Map([['/(?=(\\w+))\\1[:;]/', 2]]));
});

test('an expression of any size is compiled', () => {
  const bodies = ['(?:(?:(?:a{50}){50}){50}){50}(?=b)', `(?!x)${'(a|b)'.repeat(5000)}`, `(?=.)a{100000}b`];
  for (const body of bodies)
    expect(() => compileRegex({ body, flags: '' }).test('a'.repeat(5000))).not.toThrow();
});
