import { describe, expect, it } from 'vitest';
import { LogOptionsException } from '../../src/core/errors.ts';
import {
  childrenOf,
  type ExpressionNode,
  parse,
  print,
  type QueryNode,
  type QueryVisitor,
  walk,
} from '../../src/language/index.ts';

describe('walk()', () => {
  it('visits parents before children, in source order', () => {
    const visited: string[] = [];
    walk(parse('f(a, g(b)) | x := h(c)'), {
      Call: ({ name }) => visited.push(name),
      Bareword: ({ text }) => visited.push(text),
      Field: ({ name }) => visited.push(name),
    });
    expect(visited).toEqual(['f', 'a', 'g', 'b', 'x', 'h', 'c']);
  });

  it('skips the children of a node whose visitor returns false', () => {
    const visited: string[] = [];
    walk(parse('f(a, { g(b) }) | h(c)'), {
      Call: ({ name }) => visited.push(name),
      Subquery: () => false,
    });
    expect(visited).toEqual(['f', 'h']);
  });

  it('passes the parent to the visitor', () => {
    const parents: (string | undefined)[] = [];
    walk(parse('a=?p | f(?q) | ?{r=*}'), {
      Pipeline: (_node, parent) => parents.push(parent?.kind),
      Parameter: (_node, parent) => parents.push(parent?.kind),
    });
    expect(parents).toEqual([undefined, 'Comparison', 'Argument', 'FreeText']);
  });

  it('reaches every kind of node', () => {
    const source =
      '(a=1 or not true) b > 2 /c/ | d := -1 + "e" | f =~ g() | case { h } | i match { j => k } | [l()] | $m(n=[o]) | correlate(p: { ?q } r: s)';
    const kinds = new Set<string>();
    const visit = (node: QueryNode) => {
      kinds.add(node.kind);
      childrenOf(node).forEach(visit);
    };
    visit(parse(source));
    expect([...kinds].sort()).toEqual([
      'And',
      'Argument',
      'Array',
      'Assignment',
      'Attribute',
      'Bareword',
      'Binary',
      'Boolean',
      'Call',
      'Case',
      'Comparison',
      'Field',
      'FieldCall',
      'FreeText',
      'Match',
      'MatchArm',
      'Not',
      'Number',
      'Or',
      'Parameter',
      'Pattern',
      'Pipeline',
      'Regex',
      'SavedQuery',
      'Stats',
      'String',
      'Subquery',
      'Unary',
    ]);
  });

  it('accepts a tree that is deeper than the stack', () => {
    const span = { start: 0, end: 0 };
    let tree: ExpressionNode = { kind: 'Bareword', text: 'a', span };
    for (let depth = 0; depth < 100_000; depth += 1)
      tree = { kind: 'Unary', operator: '-', operand: tree, span };
    let nodes = 0;
    walk(tree, { Unary: () => (nodes += 1), Bareword: () => (nodes += 1) });
    expect(nodes).toBe(100_001);
  });

  it.each([undefined, null, 'a=b', {}, { kind: 'constructor' }])('rejects %j as a tree', (value) => {
    const tree = value as unknown as QueryNode;
    for (const use of [() => walk(tree, {}), () => childrenOf(tree), () => print(tree)]) {
      expect(use).toThrow(LogOptionsException);
      expect(use).toThrow(/expects a syntax tree from parse\(\)/);
    }
  });

  it('rejects a visitor without known methods', () => {
    const visitor = (() => true) as unknown as QueryVisitor;
    expect(() => walk(parse('a=b'), visitor)).toThrow('the visitor must be an object');
  });
});
