import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backtrackingLimit } from '../../src/engine/regex/backtracking-limit.ts';
import { compileRegex } from '../../src/engine/regex/regex.ts';
import { parseRegex } from '../../src/language/regex/regex-parser.ts';
import { cases } from '../helpers/laws.ts';
import { expressions } from './regex-expressions.ts';

const PLAIN = { ignoreCase: false, multiline: true, dotAll: false };

function lengthOf(body: string): number {
  return backtrackingLimit(parseRegex(body, PLAIN).root);
}

describe('The backtracking rule', () => {
  test.each([
    '(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(.*)*x',
    '^(\\w+\\s?)*$',
    '([a-z]+)*\\d',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?:a?){30}a{30}',
    '^(?:(?:b?|c?)d)*$',
    '(x+x+)+y',
    '^(?:[^"]|\\\\.|"")*;$',
    '(\\d|\\w)+$',
    '(?:[^"\\\\]|\\\\.)*"',
  ])('leaves %s, which repeats a group of variable length, to the own matcher', (body) => {
    expect(lengthOf(body)).toBe(0);
  });

  test.each([
    'error',
    'user=(?<user>\\S+)',
    '(?:GET|POST|PUT) ',
    '^\\w+@\\w+',
    '\\A\\w+@',
    '(?<ip>\\d{1,3}(?:\\.\\d{1,3}){3})',
    '^(\\w+) (\\w+) (\\w+)$',
    'agent="(.*)',
    '^((?!foo).)*$',
    '^(?:(?!foo|bar)\\w)+;',
    '^(?=\\d)(\\d{3})-',
  ])('finds that %s needs time proportional to the length of the string', (body) => {
    expect(lengthOf(body)).toBe(Number.POSITIVE_INFINITY);
  });

  test.each([
    ['\\w+@', 2],
    ['\\s+$', 2],
    ['.*a.*b', 3],
    ['.*.*=.*;', 4],
    ['status=\\d+ path=/', 2],
    ['(?:\\d{3},)+x', 2],
    ['^ *(.*?) *;', 3],
    ['^.*,.*,.*,x', 3],
    ['foo.*bar.*baz', 3],
    ['(\\w+)\\s+(\\w+)\\s+x', 2],
    ['^((?!.*foo).)*$', 2],
    ['key=((?!.*foo).)*', 3],
    ['\\w+(?<=-.*)', 3],
  ])('finds the exponent with which the time of %s grows', (body, power) => {
    const length = lengthOf(body);
    expect(length).toBeGreaterThan(5_000_000 ** (1 / power) - 1);
    expect(length).toBeLessThan((5_000_000 * 50) ** (1 / power));
  });

  // Exponential time would never end.
  test('terminates for large and deeply nested expressions', () => {
    const bodies = [
      Array.from({ length: 200 }, (_, n) => `word${n}`).join('|'),
      `(?:${Array.from({ length: 60 }, (_, n) => `w${n}`).join('|')})+x`,
      '(\\S+) '.repeat(30),
      '.*a'.repeat(40),
      '(?:(?:(?:a{8}){8}){8}){8}',
      `${'('.repeat(150)}a${')*'.repeat(150)}`,
    ];
    for (const body of bodies) expect(compileRegex({ body, flags: 'i' }).test('a')).toBeTypeOf('boolean');
  });
});

describe('A hostile expression', () => {
  const line = `${'a'.repeat(100_000)}!`;

  test.each([
    '(a+)+$',
    '^(a|a)*$',
    '(.*)*x',
    '^(?:a?){30}a{30}$',
    '(x+x+)+y',
    '\\w+@',
    '.*a.*b.*c',
    '\\s+$',
    '(a|aa)+$',
  ])('%s is decided on long lines', (body) => {
    const regex = compileRegex({ body, flags: 'm' });
    for (const text of [line, 'x'.repeat(20_000), ' '.repeat(50_000).concat('.')]) {
      expect(lengthOf(body)).toBeLessThan(text.length);
      expect(regex.test(text)).toBe(body === '(.*)*x' && text.startsWith('x'));
    }
  });
});

test('a repeated alternation keeps the captures of earlier iterations', () => {
  const regex = compileRegex({ body: '(?:(?<a>a)|(?<b>b))+', flags: '' });
  const match = regex.exec('ab');
  expect(regex.groups.map(({ name, index }) => [name, match?.[index]])).toEqual([
    ['a', 'a'],
    ['b', 'b'],
  ]);
});

// Exponential time would never end, and cubic time would exceed the time limit of a test.
test('every expression terminates on a string of thousands of characters', () => {
  fc.assert(
    fc.property(expressions(false), fc.constantFrom('a', 'ab', ' a', 'aé', 'A\n'), (body, piece) => {
      const regex = compileRegex({ body, flags: 'm' });
      expect(regex.test(`${piece.repeat(2000)}!`)).toBeTypeOf('boolean');
    }),
    cases(60),
  );
});
