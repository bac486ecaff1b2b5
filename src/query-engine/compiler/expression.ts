import {
  type BarewordNode,
  type BinaryNode,
  type CallNode,
  chainOf,
  type ExpressionNode,
  type UnaryNode,
} from '../../query-language/index.ts';
import { readsOfAll } from '../columns/column-test.ts';
import type { EventTable } from '../columns/event-table.ts';
import { type Fields, readField } from '../event.ts';
import { withoutBackTicks } from '../signature/back-ticks.ts';
import { parseNumber, toBoolean, toNumber, type Value } from '../value.ts';
import { inColumns, operationOf } from './operation.ts';
import { type Evaluate, type Scope, withReads } from './scope.ts';

/** Compiles an expression. Whatever it can't compute for an event is null, `undefined` here. */
export function compileExpression(node: ExpressionNode, scope: Scope): Evaluate {
  switch (node.kind) {
    case 'String':
      return constant(node.value);
    case 'Parameter':
      return constant(scope.parameter(node).text);
    case 'Bareword':
      return compileBareword(node);
    case 'Unary':
      return compileUnary(node, scope);
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

function constant(value: Value): Evaluate {
  const number = toNumber(value) ?? Number.NaN;
  return Object.assign(() => value, {
    reads: [],
    valuesIn: () => () => value,
    numbersIn: () => () => number,
  });
}

/** A number keeps its text, so that `x := 7.0` is `7.0`. */
function compileBareword(node: BarewordNode): Evaluate {
  const text = withoutBackTicks(node.text);
  if (parseNumber(text) !== undefined) return constant(text);
  if (text === 'true' || text === 'false') return constant(text === 'true');
  return Object.assign((row: Fields) => readField(row, text), {
    reads: [text],
    valuesIn: (table: EventTable) => {
      const column = table.column(text);
      return (index: number) => column.at(index);
    },
    numbersIn: (table: EventTable) => table.column(text).numberReader(),
  });
}

function compileUnary({ operator, operand }: UnaryNode, scope: Scope): Evaluate {
  const evaluate = compileExpression(operand, scope);
  const compute: Evaluate =
    operator === '-'
      ? (row, stored, run) => {
          const number = toNumber(evaluate(row, stored, run));
          return number === undefined ? undefined : -number;
        }
      : (row, stored, run) => negate(evaluate(row, stored, run));
  return withReads(compute, evaluate.reads);
}

function negate(value: Value): Value {
  const boolean = toBoolean(value);
  if (boolean !== undefined) return !boolean;
  const number = toNumber(value);
  return number === undefined ? undefined : number === 0;
}

/** A sum of many terms is computed one after the other: as deep as its tree is, it would not fit on the stack. */
function compileBinary(node: BinaryNode, scope: Scope): Evaluate {
  const { first, links } = chainOf(node);
  const start = compileExpression(first, scope);
  const steps = links.map(({ operator, operand }) => {
    if (operator === '<=>') {
      return scope.fail(
        node.span,
        'The operator <=> links the queries of correlate() and is only allowed there, joined with "and"',
      );
    }
    return { apply: operationOf(operator), evaluate: compileExpression(operand, scope) };
  });
  const compute: Evaluate = (row, stored, run) => {
    let value = start(row, stored, run);
    for (const { apply, evaluate } of steps) value = apply(value, evaluate(row, stored, run));
    return value;
  };
  const reads = readsOfAll([start, ...steps.map(({ evaluate }) => evaluate)]);
  const [only] = links;
  const [step] = steps;
  return only !== undefined && step !== undefined && steps.length === 1
    ? Object.assign(compute, { reads, ...inColumns(only.operator, step.apply, start, step.evaluate) })
    : withReads(compute, reads);
}

function compileCall(node: CallNode, scope: Scope): Evaluate {
  const call = scope.call(node);
  switch (call.kind) {
    case 'value':
      return call.evaluate;
    case 'filter':
      return scope.condition(node);
    case 'transform':
      return scope.fail(node.nameSpan, `${node.name}() returns no value: use it as a separate step`);
    case 'definition':
      return scope.fail(node.nameSpan, `${node.name}() must be a separate step`);
    case 'aggregate':
      return scope.fail(
        node.nameSpan,
        `${node.name}() is an aggregate function: it has no value for a single event`,
      );
  }
}
