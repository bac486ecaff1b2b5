import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parse, print, QuerySyntaxError } from '../../src/language/index.ts';
import { cases } from '../helpers/laws.ts';
import { withoutSpans } from './outline.ts';
import { REALISTIC_QUERIES } from './realistic-queries.ts';

describe.each(REALISTIC_QUERIES.map((query) => [query]))('The query %j', (query) => {
  const tree = withoutSpans(parse(query));

  it('is the same query after it is printed', () => {
    expect(withoutSpans(parse(print(parse(query))))).toEqual(tree);
  });

  it('is printed the same way twice', () => {
    const once = print(parse(query));
    expect(print(parse(once))).toBe(once);
  });

  it('is the same query with other newlines', () => {
    const changed = query.replace(/"[^"]*"|\r?\n/g, (text) => (text.startsWith('"') ? text : '\r\n'));
    expect(withoutSpans(parse(changed))).toEqual(tree);
  });
});

/** Parts of a query: words, strings, regexes, punctuation and what is between them. */
function piecesOf(query: string): string[] {
  return query.match(/"(?:[^"\\]|\\.)*"|\/(?:[^/\\\n]|\\.)+\/|[\p{L}\p{N}_@#.*-]+|\s+|[\s\S]/gu) ?? [];
}

const CHANGES = [
  '',
  ' ',
  '\n',
  '\u00a0',
  '// c\n',
  '/* c */',
  '|',
  ';',
  ',',
  '(',
  ')',
  '*',
  '!',
  'not ',
  '"',
  '/',
  ':=',
];

test('a changed realistic query is either printable or a syntax error', () => {
  const pieces = fc.constantFrom(...REALISTIC_QUERIES.filter((query) => query !== '')).map(piecesOf);
  const change = fc.tuple(
    fc.nat(),
    fc.constantFrom('replace', 'insert', 'swap', 'double'),
    fc.constantFrom(...CHANGES),
  );
  const mutant = fc
    .tuple(pieces, fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([original, changes]) => {
      const changed = [...original];
      for (const [place, how, text] of changes) {
        const at = place % changed.length;
        if (how === 'replace') changed[at] = text;
        else if (how === 'insert') changed.splice(at, 0, text);
        else if (how === 'double') changed.splice(at, 0, changed[at]!);
        else changed.push(...changed.splice(at, 1));
      }
      return changed.join('');
    });
  let accepted = 0;
  fc.assert(
    fc.property(mutant, (query) => {
      let tree: ReturnType<typeof parse>;
      try {
        tree = parse(query);
      } catch (error) {
        expect(error).toBeInstanceOf(QuerySyntaxError);
        return;
      }
      accepted += 1;
      expect(withoutSpans(parse(print(tree)))).toEqual(withoutSpans(tree));
    }),
    cases(100),
  );
  // The property is meaningful only if many mutants are valid queries.
  expect(accepted).toBeGreaterThan(14);
});

/** Other ways of writing the same query. */
const SAME: readonly (readonly [string, string])[] = [
  ['a=1 and b =~ in(values=[c])', 'a=1 b=in(values=[c])'],
  ['a =~ in(values=[1]) or b=2', 'a=in(values=[1]) or b=2'],
  ['(a =~ !in(values=[1]))', 'a!=in(values=[1])'],
  ['not a =~ in(values=[1]) b', 'not a=in(values=[1]) b'],
  ['a =~ lower() | b := 1', 'a =~ lower() b := 1'],
  ['$q() a=1 b=2', '$q() | a=1 b=2'],
  ['$q() case { * }', '$q() | case { * }'],
  ['in(a, values=[x*, *y, b.c*])', 'in(a, values=[x*, *y, b.c*,])'],
  ['x := if(not a, then=b, else=c)', 'x := if(!a, then=b, else=c)'],
  ['test(not(a))', 'test(!a)'],
  ['a\u3000=\u00a01', 'a=1'],
];

test.each(SAME)('%j means %j', (one, other) => {
  expect(withoutSpans(parse(one))).toEqual(withoutSpans(parse(other)));
});

test('a word that ends in a star is a pattern as a whole argument, and a product elsewhere', () => {
  expect(print(parse('f(a*, b * c, d*e*, x=g-h*)'))).toBe('f(a*, b * c, d*e*, x=g-h*)');
  expect(print(parse('f(a-*b*)'))).toBe('f(a - *b*)');
});
