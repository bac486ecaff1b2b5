import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileQuery } from '../../src/engine/index.ts';
import { check, type Diagnostic, QueryTextError } from '../../src/language/index.ts';
import { cases } from '../helpers/laws.ts';

function errorsOf(query: string): readonly Diagnostic[] {
  return check(query).filter(({ severity }) => severity === 'error');
}

function codesOf(query: string): string[] {
  return check(query).map(({ code }) => code);
}

/** Where the engine rejects a query. */
function refusedAt(query: string): number | undefined {
  try {
    compileQuery(query);
    return undefined;
  } catch (error) {
    if (error instanceof QueryTextError) return error.offset;
    throw error;
  }
}

const CONTEXTS: readonly ((regex: string, quoted: string) => string)[] = [
  (regex) => `/${regex}/`,
  (regex) => `f=/${regex}/`,
  (regex) => `f!=/${regex}/i`,
  (regex) => `f like /${regex}/d`,
  (regex) => `not f=/${regex}/`,
  (regex) => `f=/${regex}/ or g=1`,
  (regex) => `g=1 or (h=2 and /${regex}/)`,
  (regex) => `case { f=/${regex}/g | x:=1; * }`,
  (regex) => `f match { /${regex}/ => x:=1; * => * }`,
  (_, quoted) => `regex("${quoted}", field=f)`,
  (_, quoted) => `not regex(field=f, regex="${quoted}", flags="i")`,
  (_, quoted) => `g=1 or regex("${quoted}", field=f)`,
  (_, quoted) => `f=regex("${quoted}") or g=1`,
  (_, quoted) => `x := if(regex("${quoted}", field=f), then=1, else=2)`,
  (regex) => `regex(/${regex}/i, field=f)`,
  (_, quoted) => `replace("${quoted}", with="-", field=f)`,
  (_, quoted) => `splitString(f, by="${quoted}", as=p)`,
  (_, quoted) => `array:regex("l[]", regex="${quoted}")`,
  (regex) => `array:exists("l[]", condition={ l=/${regex}/ })`,
  (regex) => `join({ f=/${regex}/ }, field=g)`,
  (regex) => `groupBy(g, function={ f=/${regex}/ | count() })`,
];

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    '.',
    '(',
    ')',
    '(?:',
    '(?<n>',
    '(?=',
    '(?<!',
    '(?>',
    '[',
    ']',
    '^',
    '-',
    '|',
    '*',
    '+',
    '?',
    '{2}',
  ],
  ...[
    '{3,1}',
    '\\1',
    '\\k<n>',
    '\\d',
    '\\p{Lu}',
    '\\p{No}',
    '\\q',
    '\\x',
    '[[:alpha:]]',
    '(?i)',
    '(?y)',
    '\\Q',
    '\\E',
  ],
);

describe('A regular expression', () => {
  test('is rejected by check() and by the engine at the same place', () => {
    let refused = 0;
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...CONTEXTS),
        (pieces, context) => {
          const body = pieces.join('');
          const query = context(body, body.replaceAll('\\', '\\\\'));
          const place = refusedAt(query);
          if (place !== undefined) refused += 1;
          expect(
            errorsOf(query).map(({ span }) => span.start),
            query,
          ).toEqual(place === undefined ? [] : [place]);
        },
      ),
      cases(120),
    );
    expect(refused).toBeGreaterThan(24);
  });

  test.each([
    ['regex("a", flags="x")', '"flags" of regex() must be any of the letters i, m, d and F (got "x").'],
    ['regex(/a/g)', 'regex() does not support the flag g: use repeat=true.'],
    ['f=/a(/', 'Invalid regular expression: a group is not closed, at character 2.'],
    [
      'g=1 or regex("a", repeat=true)',
      'regex() changes events here, so it is only allowed at the top level of a step, joined with "and".',
    ],
  ])('%s has an error that says what is wrong', (query, message) => {
    expect(errorsOf(query)).toMatchObject([{ message, span: { start: refusedAt(query) } }]);
  });

  test('has an error for each of several', () => {
    expect(errorsOf('f=/a(/ | g=/b[/').map(({ span }) => span.start)).toEqual([2, 11]);
  });
});

test.each([
  ['\\h+', 'regex-escape'],
  ['[a\\v]', 'regex-escape'],
  ['a\\Rb', 'regex-escape'],
  ['\\e', 'regex-escape'],
  ['[[:alpha:]_]', 'regex-posix-class'],
  ['\\p{Lower}', 'regex-posix-property'],
  ['[\\P{Alpha}]', 'regex-posix-property'],
  ['[a-z&&[^b]]', 'regex-class-operator'],
  ['[a[bc]]', 'regex-nested-class'],
  ['a\\b{g}', 'regex-grapheme-boundary'],
  ['a++', 'regex-possessive-quantifier'],
  ['(?<=a)b', 'regex-look-behind'],
])('/%s/ is reported as unsupported by the service', (body, code) => {
  expect(codesOf(`f=/${body}/`)).toContain(code);
  expect(codesOf(`splitString(f, by="${body.replaceAll('\\', '\\\\')}")`)).toContain(code);
});

test.each([
  '\\\\h',
  '\\Q\\h[[:alpha:]]a++\\E',
  '&&',
  '[^[]',
  '[[\\]]',
  '[\\[a]]',
  'a+?',
  '\\p{Lu}',
  '[a-z]{2}',
  '[*+]+',
])('/%s/ has nothing to report', (body) => {
  expect(codesOf(`f=/${body}/`)).toEqual([]);
});

describe('A slash that is not escaped', () => {
  test('is named as the cause of unknown flags', () => {
    const [problem] = check('path=/etc/passwd');
    expect(problem?.message).toContain('write a slash in a regex as "\\/"');
  });

  test('is suspected between two regular expressions without a space', () => {
    expect(check('CommandLine=/://[0-9]+/')).toEqual([
      {
        code: 'cut-regex',
        severity: 'warning',
        message:
          'These are two regular expressions, /:/ and /[0-9]+/. If this is one, write the slashes in it as \\/.',
        span: { start: 12, end: 23 },
      },
    ]);
    expect(codesOf('a=1 CommandLine=/:/i/[0-9]+/')).toEqual(['cut-regex']);
    expect(codesOf('a=/x/ /y/')).toEqual([]);
    expect(codesOf('a=/x\\/y/')).toEqual([]);
  });
});
