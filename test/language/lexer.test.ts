import { describe, expect, it } from 'vitest';
import { Lexer, type LexerMode } from '../../src/language/lexer.ts';
import { QuerySyntaxError } from '../../src/language/syntax-error.ts';

/** All tokens of a text read in one mode, as `kind` or `kind text`. */
function tokens(mode: LexerMode, source: string): string[] {
  const lexer = new Lexer(source);
  const found: string[] = [];
  for (let offset = 0; ; ) {
    const { kind, text, end } = lexer.read(mode, offset);
    if (kind === 'end') return found;
    found.push(kind === text ? kind : `${kind} ${text}`);
    offset = end;
  }
}

function first(mode: LexerMode, source: string): string {
  return new Lexer(source).read(mode, 0).text;
}

function only(mode: LexerMode, source: string) {
  const token = new Lexer(source).read(mode, 0);
  expect(token).toMatchObject({ start: 0, end: source.length, text: source });
  return token;
}

describe('Words of a filter', () => {
  it.each([
    'foo',
    '#type',
    '@timestamp',
    'a.b',
    '400',
    'a&b',
    '%x',
    '\\d',
    'x^2',
    'grød',
    '日本',
    '🙂',
    '_a',
  ])('the field name %s is one word', (name) => {
    expect(only('filter', name).kind).toBe('word');
  });

  it.each(['a[0]', 'a[]', 'a[0].b', 'foo[].bar', 'x[0][1]', 'user.`e-mail`[]'])(
    '%s is one word, including subscripts and members',
    (name) => {
      expect(only('filter', name).kind).toBe('word');
    },
  );

  it.each([
    '*',
    '*foo*',
    'a-b',
    '-5',
    '+',
    '~x',
    'c:\\x',
    '12:30',
    'docker/*',
    'c.h.b/x',
    'https://www.example.com/',
    '::',
  ])('the pattern %s is one word', (pattern) => {
    expect(only('filter', pattern).kind).toBe('word');
  });

  it.each([
    '!',
    '"x"',
    '$',
    '(',
    ')',
    ',',
    ';',
    '<',
    '=',
    '>',
    '?',
    ']',
    '{',
    '|',
    '}',
    ' ',
    "'",
    '`',
    '«',
    '»',
    '\u00a0',
  ])('a word ends before %s', (character) => {
    expect(tokens('filter', `foo${character}`)[0]).toBe('word foo');
  });

  it('a word ends before ":=", even without whitespace', () => {
    expect(tokens('filter', 'foo:=1')).toEqual(['word foo', ':=', 'word 1']);
    expect(tokens('filter', 'a:b:=1')).toEqual(['word a:b', ':=', 'word 1']);
  });

  it('"//" starts a comment inside a word, except after a colon', () => {
    expect(tokens('filter', 'foo//bar')).toEqual(['word foo']);
    expect(tokens('filter', 'http://foo//bar')).toEqual(['word http://foo']);
    expect(tokens('filter', 'file:///etc/hosts')).toEqual(['word file:///etc/hosts']);
  });

  it('a pattern cannot end in "//"', () => {
    expect(tokens('filter', 'https:// a\nb')).toEqual(['word https:', 'word b']);
  });
});

describe('Whitespace and comments', () => {
  it('tabs, newlines, form feeds, carriage returns and spaces are skipped', () => {
    expect(tokens('filter', '\t\n\f\r a \r\n b')).toEqual(['word a', 'word b']);
  });

  it('comments between tokens are skipped', () => {
    expect(tokens('filter', '// one\na /* two // three */ /* four */ b // five')).toEqual([
      'word a',
      'word b',
    ]);
    expect(tokens('operator', 'a /* x */ / // y\n b')).toEqual(['word a', '/', 'word b']);
  });

  it('comments do not nest', () => {
    expect(tokens('filter', '/* /* */ a')).toEqual(['word a']);
  });

  it('nothing is skipped between "?" or "$" and the name', () => {
    expect(tokens('parameterName', ' a')[0]).toBe('character  ');
    expect(tokens('savedQueryName', ' a')[0]).toBe('character  ');
  });

  it('every Unicode space and a byte order mark count as whitespace', () => {
    expect(tokens('filter', '\ufeffa\u00a0\u2003=\u3000b\u2028')).toEqual(['word a', '=', 'word b']);
  });
});

describe('Strings', () => {
  it.each([
    ['""', ''],
    ['"a b"', 'a b'],
    [String.raw`"\""`, '"'],
    [String.raw`"\\"`, '\\'],
    [String.raw`"\n\t\r"`, '\n\t\r'],
    [String.raw`"\d+\."`, String.raw`\d+\.`],
    [String.raw`"\\d+"`, String.raw`\d+`],
    [String.raw`"\\n"`, String.raw`\n`],
    ['"two\nlines"', 'two\nlines'],
    ['"// no comment"', '// no comment'],
  ])('%s is one token, with its escapes resolved', (source, value) => {
    expect(only('filter', source)).toMatchObject({ kind: 'string', value });
  });
});

describe('Regexes', () => {
  it.each([
    ['/a b/', 'a b', ''],
    ['/a/iF', 'a', 'iF'],
    ['/a/dgimF', 'a', 'dgimF'],
    [String.raw`/a\/b/`, 'a/b', ''],
    [String.raw`/\\/`, String.raw`\\`, ''],
    [String.raw`/\d"'[(]/m`, String.raw`\d"'[(]`, 'm'],
  ])('%s is one token', (source, value, flags) => {
    expect(only('filter', source)).toMatchObject({ kind: 'regex', value, flags });
  });

  it('a slash has no special meaning inside brackets', () => {
    expect(first('filter', '/[/] /')).toBe('/[/');
  });

  it('a regex ends at its first unescaped slash, and flags end at the next other character', () => {
    expect(tokens('filter', '/a/i|/b/')).toEqual(['regex /a/i', '|', 'regex /b/']);
  });
});

describe('Words and operators of an expression', () => {
  it('letters, digits, dots and colons form one operand', () => {
    for (const word of [
      '200',
      '0.5',
      '1e6',
      '5m',
      '8.8.8.8',
      'a[0].b',
      'array:contains',
      '12:30',
      '@timestamp',
    ]) {
      expect(only('operand', word).kind).toBe('word');
    }
  });

  it('an operand that starts with a star is a pattern', () => {
    for (const word of ['*', '*a-b*', '*x/y']) expect(only('operand', word).kind).toBe('word');
  });

  it('a star or slash after an operand is an operator', () => {
    expect(tokens('operator', '*/%+-')).toEqual(['*', '/', '%', '+', '-']);
  });

  it('a slash in place of an operand starts a regex', () => {
    expect(tokens('operand', '/a/')).toEqual(['regex /a/']);
  });

  it('a colon is separate unless a name follows it', () => {
    expect(tokens('operand', 'A: {')).toEqual(['word A', ':', '{']);
    expect(tokens('operand', 'a:=b')).toEqual(['word a', ':=', 'word b']);
  });

  it('the longest possible operator is read', () => {
    expect(tokens('operator', '<=><=<=>==>==!==~:==')).toEqual([
      '<=>',
      '<=',
      '<=>',
      '==',
      '>=',
      '=',
      '!=',
      '=~',
      ':=',
      '=',
    ]);
  });
});

describe('Names of parameters and saved queries', () => {
  it('can contain dashes, dots, colons and at-signs', () => {
    expect(only('parameterName', 'a-b.c:d@e').kind).toBe('word');
    expect(only('savedQueryName', 'pkg/name:query-1').kind).toBe('word');
  });

  it('leave stars and slashes after a parameter to the expression', () => {
    expect(first('parameterName', 'a*2')).toBe('a');
    expect(first('parameterName', 'a/2')).toBe('a');
  });
});

describe('Text that is not a token', () => {
  it('becomes a single character, including astral characters', () => {
    expect(tokens('filter', '`')).toEqual(['character `']);
    expect(tokens('operator', '🙂')).toEqual(['character 🙂']);
  });

  it.each(['"a', '"a\\"', '/a', '/a\n/', '/* a', '/a/x'])('throws for %j', (source) => {
    expect(() => tokens('filter', source)).toThrow(QuerySyntaxError);
  });
});
