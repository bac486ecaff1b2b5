import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogOptionsException } from '../../src/core/errors.ts';
import {
  type BinaryNode,
  type ExpressionNode,
  parse,
  print,
  type QueryNode,
} from '../../src/language/index.ts';
import { cases } from '../helpers/laws.ts';
import { anyPipeline } from './any-pipeline.ts';
import { withoutSpans } from './outline.ts';

const span = { start: 0, end: 0 };

describe('The canonical text', () => {
  it.each([
    ['', ''],
    [' | a | | b | ', 'a | b'],
    ['a=1 AND b = 2', 'a=1 b=2'],
    ['a OR b', 'a or b'],
    ['!a', 'not a'],
    ['not (not a)', 'not not a'],
    ['((a)) or (b)', 'a or b'],
    ['(a or b) c', 'a or b c'],
    ['(a b) or c', '(a b) or c'],
    ['a (b c)', 'a (b c)'],
    ['not (a or b)', 'not (a or b)'],
    ['a LIKE b', 'a like b'],
    ['foo and like like x', 'foo and like like x'],
    ['a<5', 'a < 5'],
    ['a= ~b', 'a= ~b'],
    ['a!="b c"', 'a!="b c"'],
    ['x:=a+b*c', 'x := a + b * c'],
    ['x := (a*b)+c', 'x := a * b + c'],
    ['x := (a+b)*c', 'x := (a + b) * c'],
    ['x := a-(b-c)', 'x := a - (b - c)'],
    ['x := (a-b)-c', 'x := a - b - c'],
    ['x := (a==b)==c', 'x := (a == b) == c'],
    ['x := -(a+b)', 'x := -(a + b)'],
    ['x := ((f()))', 'x := f()'],
    ['a=~not in(values=[b,c,],)', 'a =~ !in(values=[b, c])'],
    ['case{a;b|c;}', 'case { a; b | c }'],
    ['case{}', 'case { }'],
    ['f match{/a\\/b/i=>*;*=>x:=1}', 'f match { /a\\/b/i => *; * => x := 1 }'],
    ['[ count( ) ]', '[count()]'],
    ['$"a b"( c = d-e, f=(-g) )', '$"a b"(c=d-e, f=(-g))'],
    ['f({ },{a})', 'f({}, { a })'],
    ['correlate(A:{a}include:[b]c:d)', 'correlate(A: { a } include: [b] c: d)'],
    ['?{ a = "b c" }', '?{a="b c"}'],
    ['?{ a : = b }'.replace(' : ', ': '), '?{a: =b}'],
    ['?{a}', '?a'],
    ['a="tab\there"', 'a="tab\\there"'],
    [String.raw`regex("\d")`, String.raw`regex("\\d")`],
    ['a // comment\n b', 'a b'],
  ])('of %j is %j', (source, text) => {
    expect(print(parse(source))).toBe(text);
  });

  it('can be printed for any node', () => {
    const [filter] = parse('a=1 (b or c)').steps;
    expect(print(filter!)).toBe('a=1 b or c');
  });
});

describe('Printing and parsing again', () => {
  it('returns the same tree', () => {
    fc.assert(
      fc.property(anyPipeline, (tree) => {
        expect(withoutSpans(parse(print(tree), { maxDepth: 300 }))).toEqual(withoutSpans(tree));
      }),
      cases(50),
    );
  });

  it('does not change canonical text', () => {
    fc.assert(
      fc.property(anyPipeline, (tree) => {
        const text = print(tree);
        expect(print(parse(text, { maxDepth: 300 }))).toBe(text);
      }),
      cases(50),
    );
  });
});

describe('A tree built by hand', () => {
  it.each<[QueryNode, string]>([
    [{ kind: 'Field', name: 'host-name', quoted: false, span }, '"host-name"'],
    [{ kind: 'Pattern', text: 'a b', quoted: false, span }, '"a b"'],
    [{ kind: 'FreeText', value: { kind: 'Pattern', text: 'count', quoted: false, span }, span }, '"count"'],
    [{ kind: 'FreeText', value: { kind: 'Pattern', text: 'true', quoted: false, span }, span }, '"true"'],
    [{ kind: 'FreeText', value: { kind: 'Pattern', text: '', quoted: false, span }, span }, '""'],
    [{ kind: 'Bareword', text: 'a"b', span }, '"a\\"b"'],
    [{ kind: 'Parameter', name: 'a b', quoted: false, span }, '?"a b"'],
    [{ kind: 'SavedQuery', name: 'a b', quoted: false, arguments: [], span }, '$"a b"()'],
    [{ kind: 'Regex', body: 'a/b\nc', flags: 'i', span }, '/a\\/b\\nc/i'],
  ])('has quotes where its strings could change the query: %#', (node, text) => {
    expect(print(node)).toBe(text);
  });

  it('is rejected if it is too deep for the stack or has a cycle', () => {
    let deep: ExpressionNode = { kind: 'Bareword', text: 'a', span };
    for (let depth = 0; depth < 100_000; depth += 1)
      deep = { kind: 'Unary', operator: '!', operand: deep, span };
    expect(() => print(deep)).toThrow(LogOptionsException);

    const elements: ExpressionNode[] = [];
    const ring: ExpressionNode = { kind: 'Array', elements, span };
    elements.push(ring);
    expect(() => print(ring)).toThrow('the tree is more than 1000 levels deep');

    const sum = { kind: 'Binary', operator: '+', right: ring, span } as unknown as BinaryNode;
    expect(() => print(Object.assign(sum, { left: sum }))).toThrow('the tree is more than 1000 levels deep');
  });
});
