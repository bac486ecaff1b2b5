import { NO_VALUE } from '../../language/diagnostics/call-places.ts';
import {
  type BarewordNode,
  type BinaryNode,
  type CallNode,
  type ComparisonNode,
  chainOf,
  type ExpressionNode,
} from '../../language/index.ts';
import { computed, constant, type Expression, fieldValue } from '../columns/expression.ts';
import { truthOf } from '../columns/predicate.ts';
import { withoutBackTicks } from '../signature/back-ticks.ts';
import type { Scope } from '../signature/scope.ts';
import { parseNumber, toBoolean, toNumber, type Value } from '../value.ts';
import { chain, operationOf } from './operation.ts';

/** Compiles an expression. Its value is null, represented as `undefined`, if it can't be computed for an event. */
export function compileExpression(node: ExpressionNode, scope: Scope): Expression {
  switch (node.kind) {
    case 'String':
      return constant(node.value);
    case 'Parameter':
      return constant(scope.parameter(node).text);
    case 'Bareword':
      return compileBareword(node);
    case 'Unary':
      return computed([compileExpression(node.operand, scope)], node.operator === '-' ? negative : negate);
    case 'Binary':
      return compileBinary(node, scope);
    case 'Call':
      return compileCall(node, scope);
    case 'Array':
      return scope.fail(node.span, 'An array is only allowed as a function argument');
    case 'Subquery':
      return scope.fail(node.span, '{ … } is only allowed as a function argument');
    case 'SavedQuery':
      return scope.fail(node.span, `The saved query "${node.name}" can't be used as a value`);
  }
}

/** A number keeps its text, so `x := 7.0` is `7.0`. */
function compileBareword(node: BarewordNode): Expression {
  const text = withoutBackTicks(node.text);
  if (parseNumber(text) !== undefined) return constant(text);
  if (text === 'true' || text === 'false') return constant(text === 'true');
  return fieldValue(text);
}

function negative(value: Value): Value {
  const number = toNumber(value);
  return number === undefined ? undefined : -number;
}

function negate(value: Value): Value {
  const boolean = toBoolean(value);
  if (boolean !== undefined) return !boolean;
  const number = toNumber(value);
  return number === undefined ? undefined : number === 0;
}

/** @throws QueryError for an operator that has no meaning outside of `correlate()`. */
export function refuseLink({ span }: BinaryNode | ComparisonNode, scope: Scope): never {
  return scope.fail(
    span,
    'The operator <=> links the queries of correlate() and is only allowed there, joined with "and"',
  );
}

/** Evaluates a chain of operators in a loop: recursion would overflow the stack for sums of many terms. */
function compileBinary(node: BinaryNode, scope: Scope): Expression {
  const { first, links } = chainOf(node);
  const operations = links.map(({ operator, operand }) => {
    if (operator === '<=>') return refuseLink(node, scope);
    return { operation: operationOf(operator), operand: compileExpression(operand, scope) };
  });
  return chain(compileExpression(first, scope), operations);
}

function compileCall(node: CallNode, scope: Scope): Expression {
  const call = scope.call(node);
  switch (call.kind) {
    case 'value':
      return call.value;
    case 'filter':
      return truthOf(scope.condition(node));
    default:
      return scope.fail(node.nameSpan, `${node.name}() ${NO_VALUE[call.kind]}`);
  }
}
