import type { BinaryNode, BinaryOperator, ExpressionNode } from './ast.ts';

/** Longer chains are taken in parts. It also ends the search in a tree made by hand that is a ring. */
const MAX_LINKS = 10_000;

/** `a + b - c`: the first operand, and each operator with the operand behind it. */
export interface OperatorChain {
  readonly first: ExpressionNode;
  readonly links: readonly { readonly operator: BinaryOperator; readonly operand: ExpressionNode }[];
}

/** Takes a sum, a product or a comparison apart. A long sum is a deep tree, though nothing is nested in it. */
export function chainOf(node: BinaryNode): OperatorChain {
  const group = groupOf(node.operator);
  const links: OperatorChain['links'][number][] = [];
  let first: ExpressionNode = node;
  while (first.kind === 'Binary' && groupOf(first.operator) === group && links.length < MAX_LINKS) {
    links.push({ operator: first.operator, operand: first.right });
    first = first.left;
    // Comparisons do not group.
    if (group === undefined) break;
  }
  return { first, links: links.reverse() };
}

/** Which operators stand on one level with this one. */
function groupOf(operator: BinaryOperator): 'sum' | 'product' | undefined {
  if (operator === '+' || operator === '-') return 'sum';
  return operator === '*' || operator === '/' || operator === '%' ? 'product' : undefined;
}
