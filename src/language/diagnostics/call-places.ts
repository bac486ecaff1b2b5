import type { ArrayNode, ExpressionNode, FilterNode, PipelineNode, QueryNode, Span } from '../ast.ts';
import { findSignature } from '../functions/find-function.ts';
import { walk } from '../walk.ts';
import { elementsOf, hasParameter, parameterOf, textOf } from './call-arguments.ts';
import { error, type Finding } from './diagnostic.ts';

/** Why a call of a function of a kind is no value. */
export const NO_VALUE: Readonly<Record<string, string>> = {
  aggregate: 'is an aggregate function: it has no value for a single event',
  transform: 'returns no value: use it as a separate step',
  definition: 'must be a separate step',
};

/** Reports calls that can't be a filter or a value where they are, and arrays and braces in expressions. */
export function checkPlaces(tree: PipelineNode): readonly Finding[] {
  const findings: Finding[] = [];
  const report = (span: Span, message: string): void => {
    findings.push(error('wrong-place', span, `${message}.`));
  };
  const requireFilter = (node: FilterNode | QueryNode): void => {
    if (node.kind === 'And') for (const operand of node.operands) requireFilter(operand);
    if (node.kind === 'Comparison') requireFilter(node.value);
    if (node.kind !== 'Call' || (findSignature(node.name)?.kind ?? 'filter') === 'filter') return;
    report(
      node.nameSpan,
      `${node.name}() is not a filter: it is not allowed under "or" or "not" or in a condition`,
    );
  };
  const requireValue = (node: ExpressionNode): void => {
    if (node.kind === 'Array') report(node.span, 'An array is only allowed as a function argument');
    if (node.kind === 'Subquery') report(node.span, '{ … } is only allowed as a function argument');
    const problem = node.kind === 'Call' ? NO_VALUE[findSignature(node.name)?.kind ?? ''] : undefined;
    if (node.kind === 'Call' && problem !== undefined) report(node.nameSpan, `${node.name}() ${problem}`);
  };
  walk(tree, {
    Stats: ({ functions }) => void findings.push(...namesIn(functions)),
    Or: ({ operands }) => operands.forEach(requireFilter),
    Not: ({ operand }) => requireFilter(operand),
    Comparison({ operator, value }) {
      // As a step, `field = call(…)` is `field =~ call(…)`.
      if (operator === '!=') requireFilter(value);
    },
    MatchArm: ({ guard }) => requireFilter(guard),
    Assignment({ value }) {
      // `x := count()` is a step.
      if (value.kind !== 'Call' || !hasParameter(value, 'as')) requireValue(value);
    },
    Binary({ left, right }) {
      requireValue(left);
      requireValue(right);
    },
    Unary: ({ operand }) => requireValue(operand),
    Call(call) {
      for (const argument of call.arguments) {
        const { value } = argument;
        const kind = parameterOf(argument, call)?.form.kind;
        const isExpression = kind === 'expression' || (kind === undefined && /^eval$/i.test(call.name));
        if (kind === 'filter') requireFilter(value);
        if (kind === 'aggregate' && value.kind === 'Array') findings.push(...namesIn(value));
        if (isExpression)
          elementsOf([value])
            .filter((one) => one.kind === 'Call')
            .forEach(requireValue);
      }
    },
  });
  return findings;
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
