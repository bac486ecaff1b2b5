import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childrenOf, parse, print, type QueryNode, QuerySyntaxError } from '../../src/language/index.ts';
import { anyCharacter, cases, lawCases } from '../helpers/laws.ts';
import { withoutSpans } from './outline.ts';

/** The tree, or `undefined` for text that is rejected with a syntax error; any other error fails the test. */
function parseOrRefuse(source: string) {
  try {
    return parse(source);
  } catch (error) {
    if (error instanceof QuerySyntaxError) return undefined;
    throw error;
  }
}

/** What must hold for every accepted text. */
function checkAccepted(source: string): void {
  const tree = parseOrRefuse(source);
  if (tree === undefined) return;
  expect(withoutSpans(parse(print(tree)))).toEqual(withoutSpans(tree));
  checkSpans(tree, source.length);
}

function checkSpans(node: QueryNode, end: number): void {
  expect(node.span.start).toBeLessThanOrEqual(node.span.end);
  expect(node.span.end).toBeLessThanOrEqual(end);
  let place = node.span.start;
  for (const child of childrenOf(node)) {
    expect(child.span.start).toBeGreaterThanOrEqual(place);
    checkSpans(child, node.span.end);
    place = child.span.end;
  }
}

const snippets = [
  ...'a b count in match case like not and or true false'.split(' '),
  ...'! ( ) { } [ ] | ; , = != < <= > >= <=> := =~ => == + - * / % : ? $ ~ \\ ` \' " #t @t é « 🙂'.split(' '),
  ...'?p ?{p=q} ?{ $q $q(a=b) "s" /re/ /r\\/e/i 5 -5 1.5 count( in(v=[ x= x:= case{ a[0].b *x* x/y http://h/ A: //c'.split(
    ' ',
  ),
  'x match {',
  '/*c*/',
  '/*',
  '{ a }',
  '=~ f()',
  ' ',
  '\n',
  '\u00a0',
  '\0',
];

const samples = [
  '| service=web status >= 500 or level=/^(error|fatal)$/i // trouble\n| groupBy([host, path], function=[count(), max(took, as=slowest)], limit=max)',
  'case { status=404 | kind := "missing"; status like 5* | kind := "broken"; * | kind := "ok"; } | top(kind, limit=5)',
  'method match { GET => x := "read"; /^(PUT|POST)$/ => x := "write"; in(values=["a", b]) => *; ?m => *; }',
  'ip =~ !cidr(subnet=["10.0.0.0/8"]) | took := (end - start) / 1000 | test(took > ?{limit=5})',
  'correlate(A: { user=* | id <=> B.id } include: [user, name], B: { login } , within=5m) | $"pkg/x:enrich"(field=a-b)',
  'createEvents(["a=\\"1\\"", "b"]) | kvParse() | [min(a), n := count()] | rename([[a, b]]) | join({ x=1 }, field=y)',
];

describe('Any string', () => {
  it('is parsed or rejected', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.string()), (source) => {
        checkAccepted(source);
      }),
      cases(30),
    );
  });

  it('made of pieces of the language is parsed or rejected', () => {
    const soup = fc
      .array(fc.tuple(fc.constantFrom(...snippets), fc.constantFrom('', ' ')), { maxLength: 12 })
      .map((pieces) => pieces.flat().join(''));
    fc.assert(fc.property(soup, checkAccepted), cases(40));
  });

  it('made by cutting, doubling or crossing queries is parsed or rejected', () => {
    const place = fc.nat({ max: 120 });
    const mutant = fc
      .tuple(fc.constantFrom(...samples), fc.constantFrom(...samples, ...snippets), place, place, place)
      .map(
        ([one, other, from, to, at]) =>
          one.slice(0, from) + other.slice(at, at + to) + one.slice(from + (to % 7)),
      );
    fc.assert(fc.property(mutant, checkAccepted), cases(30));
  });

  it('that the mutants are derived from is accepted', () => {
    for (const sample of samples) expect(() => parse(sample)).not.toThrow();
  });
});

describe('Deep nesting', () => {
  const shapes: [string, string, string][] = [
    ['(', 'a', ')'],
    ['not ', 'a', ''],
    ['!', 'a', ''],
    ['x := (', 'a', ')'],
    ['x := -', 'a', ''],
    ['f(', 'a', ')'],
    ['f([', 'a', '])'],
    ['f({', 'a', '})'],
    ['f(A: {', 'a', '} include: [b])'],
    ['f(a=[b:=(1+-c([', 'a', ']))])'],
    ['$q(a={', 'a', '})'],
    ['case { a | ', 'b', '}'],
    ['a match { b => ', 'c', '}'],
    ['[f(', 'a', ')]'],
  ];

  it.each(shapes)('of %j is rejected, and never overflows the stack', (opening, middle, closing) => {
    const nested = (levels: number) =>
      opening.startsWith('x :=')
        ? `x :=${opening.slice(4).repeat(levels)}${middle}${closing.repeat(levels)}`
        : opening.repeat(levels) + middle + closing.repeat(levels);
    expect(() => parse(nested(3))).not.toThrow();
    expect(() => parse(nested(3_000))).toThrow(/nested more than 200 levels deep/);
    expect(() => parse(nested(3_000), { maxDepth: 300 })).toThrow(/nested more than 300 levels deep/);
  });

  it('does not include a long chain of operators, which is printed as it was written', () => {
    const text = `x := a${' + b * c - d'.repeat(5_000)}`;
    expect(print(parse(text))).toBe(text);
  });

  it('within the limit leaves a tree that can be printed', () => {
    for (const [opening, middle, closing] of shapes.filter(([start]) => !start.startsWith('x'))) {
      const tree = parse(opening.repeat(20) + middle + closing.repeat(20), { maxDepth: 300 });
      expect(withoutSpans(parse(print(tree), { maxDepth: 300 }))).toEqual(withoutSpans(tree));
    }
  });
});

describe('Long input', () => {
  const pieces = [
    'a',
    'a ',
    '(',
    '"',
    '"a"',
    '/a/ ',
    '//\n',
    '/*',
    '[',
    'a[0]',
    'a.`b`',
    'a match ',
    'a like ',
    'not ',
    'a or ',
    '|',
    'x:=',
    '$q(a=',
    'f(a=f(a=',
    ':',
    '~',
    '\\',
  ];

  // Quadratic work would take minutes, and the time limit of a test is 30 s.
  it.each(lawCases(pieces, 6))('that repeats %j is parsed in linear time', (piece) => {
    const source = piece.repeat(Math.floor(66_000 / piece.length));
    parseOrRefuse(source);
    parseOrRefuse(`x := f(${source.slice(10)}`);
  });
});
