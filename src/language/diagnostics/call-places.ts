import type { ArrayNode, ExpressionNode, PipelineNode, QueryNode } from '../ast.ts';
import { findSignature } from '../functions/find-function.ts';
import { elementsOf, hasParameter, parameterOf, textOf } from './call-arguments.ts';
import { error, type Finding, findIn } from './diagnostic.ts';

/** Why a call of a function of a kind is no value. */
export const NO_VALUE: Readonly<Record<string, string>> = {
  aggregate: 'is an aggregate function: it has no value for a single event',
  transform: 'returns no value: use it as a separate step',
  definition: 'must be a separate step',
};

/** Reports calls that can't be a filter or a value where they are, and arrays and braces in expressions. */
export function checkPlaces(tree: PipelineNode): readonly Finding[] {
  return findIn(tree, {
    Stats: ({ functions }) => namesIn(functions),
    Or: ({ operands }) => operands.flatMap(noFilter),
    Not: ({ operand }) => noFilter(operand),
    // As a step, `field = call(…)` is `field =~ call(…)`.
    Comparison: ({ operator, value }) => (operator === '!=' ? noFilter(value) : []),
    MatchArm: ({ guard }) => noFilter(guard),
    // `x := count()` is a step.
    Assignment: ({ value }) => (value.kind === 'Call' && hasParameter(value, 'as') ? [] : noValue(value)),
    Binary: ({ left, right }) => [...noValue(left), ...noValue(right)],
    Unary: ({ operand }) => noValue(operand),
    Call: (call) =>
      call.arguments.flatMap((argument) => {
        const { value } = argument;
        const kind = parameterOf(argument, call)?.form.kind;
        const isExpression = kind === 'expression' || (kind === undefined && /^eval$/i.test(call.name));
        if (kind === 'filter') return noFilter(value);
        if (kind === 'aggregate' && value.kind === 'Array') return namesIn(value);
        return isExpression
          ? elementsOf([value]).flatMap((one) => (one.kind === 'Call' ? noValue(one) : []))
          : [];
      }),
  });
}

/** Calls inside of a filter that are not filters themselves. */
function noFilter(node: QueryNode): readonly Finding[] {
  if (node.kind === 'And') return node.operands.flatMap(noFilter);
  if (node.kind === 'Comparison') return noFilter(node.value);
  if (node.kind !== 'Call' || (findSignature(node.name)?.kind ?? 'filter') === 'filter') return [];
  const message = `${node.name}() is not a filter: it is not allowed under "or" or "not" or in a condition.`;
  return [error('wrong-place', node.nameSpan, message)];
}

function noValue(node: ExpressionNode): readonly Finding[] {
  const refused = { Array: 'An array', Subquery: '{ … }' }[node.kind as string];
  if (refused !== undefined)
    return [error('wrong-place', node.span, `${refused} is only allowed as a function argument.`)];
  const problem = node.kind === 'Call' ? NO_VALUE[findSignature(node.name)?.kind ?? ''] : undefined;
  if (node.kind !== 'Call' || problem === undefined) return [];
  return [error('wrong-place', node.nameSpan, `${node.name}() ${problem}.`)];
}

/** Names and other values in an array of aggregate functions. */
function namesIn({ elements }: ArrayNode): readonly Finding[] {
  return elements.flatMap((element): readonly Finding[] => {
    const value = element.kind === 'Assignment' ? element.value : element;
    if (['Call', 'Subquery', 'SavedQuery', 'Parameter'].includes(value.kind)) return [];
    const name = textOf(value) ?? '';
    const isAggregate = findSignature(name)?.kind === 'aggregate';
    const fix = isAggregate ? { span: value.span, text: `${name}()` } : undefined;
    const message = 'Only aggregate functions such as count() are allowed here.';
    return [{ ...error('not-an-aggregate', value.span, message), fix }];
  });
}
