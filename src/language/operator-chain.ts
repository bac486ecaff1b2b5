import type { BinaryNode, BinaryOperator, ExpressionNode, FilterNode, StepNode } from './ast.ts';

/** Longer chains are split. Also stops at cycles in hand-made trees. */
const MAX_LINKS = 1_000;

/** `a + b - c`: the first operand, and each operator with the operand after it. */
export interface OperatorChain {
  readonly first: ExpressionNode;
  readonly links: readonly { readonly operator: BinaryOperator; readonly operand: ExpressionNode }[];
}

/** Splits a sum, a product or a comparison. A long sum is a deep tree without real nesting. */
export function chainOf(node: BinaryNode): OperatorChain {
  const group = groupOf(node.operator);
  const links: OperatorChain['links'][number][] = [];
  let first: ExpressionNode = node;
  while (first.kind === 'Binary' && groupOf(first.operator) === group && links.length < MAX_LINKS) {
    links.push({ operator: first.operator, operand: first.right });
    first = first.left;
    // Comparisons can't be chained.
    if (group === undefined) break;
  }
  return { first, links: links.reverse() };
}

/** The filters that `and` joins: `a b` is the same as `a | b`, and b may be an aggregate. */
export function conjunctsOf(node: StepNode): readonly StepNode[] {
  return node.kind === 'And' ? node.operands.flatMap<FilterNode | StepNode>(conjunctsOf) : [node];
}

/** The operators with the same precedence. */
function groupOf(operator: BinaryOperator): 'sum' | 'product' | undefined {
  if (operator === '+' || operator === '-') return 'sum';
  return operator === '*' || operator === '/' || operator === '%' ? 'product' : undefined;
}
