import { LogOptionsException } from '../core/exception.ts';
import { describe, wrongKind } from '../core/option-checks.ts';
import type { QueryNode } from './ast.ts';

type Kind = QueryNode['kind'];
export type NodeOf<K extends Kind> = Extract<QueryNode, { readonly kind: K }>;

/** The children of each kind of node, in source order. A missing kind does not compile. */
const CHILD_KEYS: { readonly [K in Kind]: readonly (keyof NodeOf<K>)[] } = {
  Pipeline: ['steps'],
  Assignment: ['target', 'value'],
  FieldCall: ['field', 'call'],
  Case: ['clauses'],
  Match: ['field', 'arms'],
  MatchArm: ['guard', 'pipeline'],
  Stats: ['functions'],
  SavedQuery: ['arguments'],
  And: ['operands'],
  Or: ['operands'],
  Not: ['operand'],
  Boolean: [],
  Comparison: ['field', 'value'],
  FreeText: ['value'],
  Field: [],
  Pattern: [],
  Regex: [],
  Number: [],
  Parameter: ['defaultValue'],
  Binary: ['left', 'right'],
  Unary: ['operand'],
  String: [],
  Bareword: [],
  Array: ['elements'],
  Subquery: ['pipeline'],
  Call: ['arguments'],
  Argument: ['name', 'value', 'attributes'],
  Attribute: ['value'],
};

/**
 * Returns the children of a node, in source order.
 *
 * @throws LogOptionsException if the value is not a node
 */
export function childrenOf(node: QueryNode): readonly QueryNode[] {
  requireNode('childrenOf', node);
  const branches = node as unknown as Readonly<Record<string, QueryNode | readonly QueryNode[] | undefined>>;
  const children: QueryNode[] = [];
  for (const key of CHILD_KEYS[node.kind] as readonly string[]) {
    const branch = branches[key];
    if (branch === undefined) continue;
    if ('kind' in branch) children.push(branch);
    else for (const child of branch) children.push(child);
  }
  return children;
}

/** @throws LogOptionsException unless `node` is of a known kind. */
export function requireNode(owner: string, node: QueryNode): void {
  if (typeof node === 'object' && node !== null && Object.hasOwn(CHILD_KEYS, node.kind)) return;
  throw new LogOptionsException(
    `${owner} expects a syntax tree from parse(), or one of its nodes (got ${describe(node)}).`,
  );
}

/** Functions by node kind. If a function returns `false`, the children of the node are skipped. */
export type QueryVisitor = {
  readonly [K in Kind]?: (node: NodeOf<K>, parent: QueryNode | undefined) => unknown;
};

/**
 * Calls the visitor for a node and all its descendants, parents before children, in source order. It does not recurse,
 * so trees of any depth work.
 *
 * @throws LogOptionsException if the value is not a node, or the visitor is not an object of functions
 */
export function walk(root: QueryNode, visitor: QueryVisitor): void {
  requireNode('walk', root);
  if (typeof visitor !== 'object' || visitor === null) {
    const kind = 'an object of functions by node kind, such as { Call: (node) => … }';
    throw wrongKind('walk', 'the visitor', kind, visitor);
  }
  const stack: { readonly node: QueryNode; readonly parent: QueryNode | undefined }[] = [
    { node: root, parent: undefined },
  ];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, parent } = next;
    const visit = visitor[node.kind] as
      | ((node: QueryNode, parent: QueryNode | undefined) => unknown)
      | undefined;
    if (visit?.(node, parent) === false) continue;
    const children = childrenOf(node);
    for (let place = children.length - 1; place >= 0; place -= 1)
      stack.push({ node: children[place]!, parent: node });
  }
}
