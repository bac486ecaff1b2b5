import { describe, expect, test } from 'vitest';
import { compileRegex } from '../../src/engine/regex/regex.ts';
import { RegexError } from '../../src/language/regex/regex-error.ts';

/** The texts in which the expression matches. */
function matching(body: string, texts: readonly string[], flags = 'm'): string[] {
  const regex = compileRegex({ body, flags });
  return texts.filter((text) => regex.test(text));
}

/** The named groups of the first match. */
function extract(body: string, text: string, flags = 'm'): Record<string, string> {
  const regex = compileRegex({ body, flags });
  const match = regex.exec(text);
  return Object.fromEntries(
    regex.groups.flatMap(({ name, index }) => (match?.[index] ? [[name, match[index]]] : [])),
  );
}

describe('Named groups', () => {
  test('can be written in either style, with names that JavaScript rejects', () => {
    expect(extract('(?<user.name>\\w+)@(?P<@host>\\w+)(?<a[0].b>!)?(?<#t>\\d)', 'bob@home!7')).toEqual({
      'user.name': 'bob',
      '@host': 'home',
      'a[0].b': '!',
      '#t': '7',
    });
  });

  test('can repeat a name, and have no value if they do not participate', () => {
    expect(extract('a(?<n>1)|b(?<n>2)', 'b2')).toEqual({ n: '2' });
  });

  test('are counted together with numbered groups', () => {
    expect(extract('(a)(?<n>b)(?:c)(?<m>d)', 'abcd')).toEqual({ n: 'b', m: 'd' });
  });

  test('can be referenced', () => {
    expect(matching('(?<q>["\']).*\\k<q>', ['"a"', '"a\''])).toEqual(['"a"']);
    expect(matching('(a|b)\\1', ['aa', 'ab'])).toEqual(['aa']);
  });
});

describe('Anchors', () => {
  test('^ and $ match at lines with the flag m, otherwise only at the ends', () => {
    expect(matching('^b$', ['b', 'a\nb\nc'])).toEqual(['b', 'a\nb\nc']);
    expect(matching('^b$', ['b', 'a\nb\nc'], '')).toEqual(['b']);
  });

  test('\\A, \\z and \\Z match at the ends of the string, also together with ^ and $', () => {
    expect(matching('\\Ab', ['b', 'a\nb'])).toEqual(['b']);
    expect(matching('b\\z', ['b', 'b\n', 'b\na'])).toEqual(['b']);
    expect(matching('b\\Z', ['b', 'b\n', 'b\na'])).toEqual(['b', 'b\n']);
    expect(matching('\\Aa\\n^b$', ['a\nb\nc', 'x\na\nb'])).toEqual(['a\nb\nc']);
    expect(matching('^b\\z', ['a\nb', 'b\na'])).toEqual(['a\nb']);
  });
});

describe('Flags', () => {
  test('i ignores case, and d lets the dot match newlines', () => {
    expect(matching('a.b', ['A\nB', 'AxB'], 'i')).toEqual(['AxB']);
    expect(matching('a.b', ['a\nb'], 'd')).toEqual(['a\nb']);
  });

  test('F has no effect, and unknown flags are rejected', () => {
    expect(matching('a', ['a'], 'F')).toEqual(['a']);
    expect(() => compileRegex({ body: 'a', flags: 'x' })).toThrow('unknown flag "x"');
  });

  test('can be set inside the expression: for all of it, a group, or the rest of a group', () => {
    expect(matching('(?i)ab', ['AB'])).toEqual(['AB']);
    expect(matching('a(?i:b[c-e])f', ['aBDf', 'abdf', 'ABdf', 'abdF'])).toEqual(['aBDf', 'abdf']);
    expect(matching('(a(?i)b)c', ['aBc', 'aBC'])).toEqual(['aBc']);
    expect(matching('a(?-i:b)', ['Ab', 'AB'], 'i')).toEqual(['Ab']);
    expect(matching('a(?s:.)b.c', ['a\nbxc', 'a\nb\nc'])).toEqual(['a\nbxc']);
  });
});

describe('Escapes', () => {
  test('\\Q and \\E quote a string', () => {
    expect(matching('a\\Q.*[\\E+', ['a.*[[', 'axx'])).toEqual(['a.*[[']);
    expect(matching('\\Qa.b', ['a.b', 'axb'])).toEqual(['a.b']);
  });

  test.each([
    ['\\x41\\u0042\\x{43}', 'ABC'],
    ['\\a\\e\\t\\cA\\012', '\x07\x1B\t\x01\n'],
    ['[\\h]', '\u00A0'],
    ['\\h\\R', ' \r\n'],
    ['[[:alpha:]-]', '-'],
    ['^[[:alpha:][:digit:]]{2}$', 'a1'],
    ['\\p{Lu}\\p{Alpha}', 'Éa'],
    ['[\\w.-]+@', 'a.b-c@'],
    ['[]a]', ']'],
    ['{a}{,2}', '{a}{,2}'],
    ['a\\/b\\-\\_\\"', 'a/b-_"'],
    ['[\\]\\[^-]', '^'],
    ['^.{1}$', 'x'],
    ['(?=a)a(?!b)(?<=a)(?<!b)', 'a'],
    ['a+?b*?c??$', 'aabbc'],
  ])('%s matches %j', (body, text) => {
    expect(matching(body, [text])).toEqual([text]);
  });
});

test('atomic groups and possessive quantifiers never backtrack, and keep the numbers of groups', () => {
  expect(matching('^(?>a+)ab', ['aaab', 'aab'])).toEqual([]);
  expect(matching('^a++b', ['aaab'])).toEqual(['aaab']);
  expect(matching('^[a-c]*+c', ['abc'])).toEqual([]);
  expect(extract('(x)(?>(?<n>a+)|b)(?<m>c)\\1?', 'xaac')).toEqual({ n: 'aa', m: 'c' });
  expect(matching('(x)(?>y(z))\\2\\1$', ['xyzzx', 'xyzxz'])).toEqual(['xyzzx']);
});

test('the flag x allows whitespace and comments in an expression', () => {
  expect(matching('(?x) a b  # two letters\n \\ c', ['ab c', 'abc'])).toEqual(['ab c']);
});

test.each([
  ['[^\\S]', ' '],
  ['[\\D]', 'x'],
  ['\\H\\N', 'ab'],
  ['[[:^digit:]]', 'x'],
  ['\\P{Lu}\\p{^Lu}', 'ab'],
  ['\\p{Greek}\\p{IsLatin}', 'αb'],
  ['[^\\p{Lu}x]', 'y'],
  ['[\\Q^]\\E]', '^'],
  ['[a\\-z]', '-'],
  ['^.$', '😀'],
  ['^[^a]$', '😀'],
  ['[😀-😂]', '😁'],
])('%s matches all of %j', (body, text) => {
  expect(matching(body, [text])).toEqual([text]);
});

test('ignoring case includes ranges, negated classes, non-ASCII letters, properties and references', () => {
  expect(matching('^[a-f]+$', ['AbF', 'AbG'], 'i')).toEqual(['AbF']);
  expect(matching('^[^a]$', ['A', 'b'], 'i')).toEqual(['b']);
  expect(matching('^[à-é]é$', ['ÀÉ', 'ee'], 'i')).toEqual(['ÀÉ']);
  expect(matching('^\\p{Lu}$', ['a', '1'], 'i')).toEqual(['a']);
  expect(matching('^(a)\\1$', ['aA', 'ab'], 'i')).toEqual(['aA']);
});

test.each([
  ['ab(c', 3],
  ['ab)c', 3],
  ['a[b', 2],
  ['ab\\y', 3],
  ['a|*', 3],
  ['x{3,1}', 1],
  ['[z-a]', 2],
  ['a**', 3],
])('the error in %s names character %i', (body, character) => {
  expect(() => compileRegex({ body, flags: '' })).toThrow(new RegExp(`, at character ${character}$`));
});

test.each([
  ['(a', 'a group is not closed'],
  ['a)', 'a ) has no matching ('],
  ['[a', 'a [ is not closed'],
  ['*', 'nothing to repeat'],
  ['a\\', 'it ends with a backslash'],
  ['\\y', '\\y is not supported; a \\ is \\\\'],
  ['\\k<x>', '\\k does not refer to an earlier group'],
  ['(?<=', 'a group is not closed'],
  ['(?#c)', 'the group (?#c… is not supported'],
  ['\\p{Nope}', 'invalid property name'],
  ['\\p{constructor}', 'invalid property name'],
  ['[[:constructor:]]', '[:constructor:] is not supported'],
])('%s is rejected', (body, reason) => {
  expect(() => compileRegex({ body, flags: 'm' })).toThrow(RegexError);
  expect(() => compileRegex({ body, flags: 'm' })).toThrow(reason);
});
