import type { BinaryOperator } from '../../query-language/index.ts';
import type { Values } from '../columns/event-table.ts';
import { computedValues, type Expression, readsOfAll } from '../columns/expression.ts';
import { toNumber, toText, type Value } from '../value.ts';

/** What an operator makes of two values. */
interface Operation {
  readonly apply: (left: Value, right: Value) => Value;
  /** Whether both sides count as numbers only. */
  readonly isNumeric: boolean;
}

type Arithmetic = (a: number, b: number) => number | boolean | undefined;

/** What is computed of two numbers. */
const NUMERIC: Readonly<Partial<Record<BinaryOperator, Arithmetic>>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? undefined : a / b),
  '%': (a, b) => (b === 0 ? undefined : a % b),
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** What an operator does. */
export function operationOf(operator: Exclude<BinaryOperator, '<=>'>): Operation {
  const compute = NUMERIC[operator];
  if (compute !== undefined) return { isNumeric: true, apply: numeric(compute) };
  if (operator === '==') return { isNumeric: false, apply: equal };
  return {
    isNumeric: false,
    apply: (a, b) => {
      const isEqual = equal(a, b);
      return isEqual === undefined ? undefined : !isEqual;
    },
  };
}

/** Operations from left to right. They run one after the other, so that their number is not limited by the stack. */
export function chain(
  first: Expression,
  links: readonly { readonly operation: Operation; readonly operand: Expression }[],
): Expression {
  const startsWithNumber = links[0]?.operation.isNumeric ?? false;
  return {
    reads: readsOfAll([first, ...links.map(({ operand }) => operand)]),
    over(table, run) {
      const start = readerOf(first.over(table, run), startsWithNumber);
      const steps = links.map(({ operation: { apply, isNumeric }, operand }) => ({
        apply,
        read: readerOf(operand.over(table, run), isNumeric),
      }));
      return computedValues((index) => {
        let value = start(index);
        for (const { apply, read } of steps) value = apply(value, read(index));
        return value;
      });
    },
  };
}

function readerOf(values: Values, isNumeric: boolean): (index: number) => Value {
  return isNumeric ? values.numberReader() : (index) => values.at(index);
}

/** Null unless both sides are numbers, and where the result is beyond the range of numbers. */
function numeric(compute: Arithmetic): Operation['apply'] {
  return (left, right) => {
    const a = toNumber(left);
    const b = a === undefined ? undefined : toNumber(right);
    if (a === undefined || b === undefined) return undefined;
    const result = compute(a, b);
    return typeof result === 'number' && !Number.isFinite(result) ? undefined : result;
  };
}

/** Numbers are equal as numbers (`1.0 == 1`), everything else as text. Null is equal to nothing, not even unequal. */
function equal(a: Value, b: Value): boolean | undefined {
  const left = toText(a);
  const right = toText(b);
  if (left === undefined || right === undefined) return undefined;
  if (left === right) return true;
  const number = toNumber(a);
  return number !== undefined && number === toNumber(b);
}
