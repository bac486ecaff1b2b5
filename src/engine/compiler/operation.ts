import type { BinaryOperator } from '../../language/index.ts';
import { computedValues } from '../columns/computed.ts';
import type { Values } from '../columns/event-table.ts';
import type { Expression } from '../columns/expression.ts';
import { toNumber, toText, type Value } from '../value.ts';

interface Operation {
  readonly apply: (left: Value, right: Value) => Value;
  /** Whether both operands must be numbers. */
  readonly isNumeric: boolean;
}

type Arithmetic = (a: number, b: number) => number | boolean | undefined;

/** How operators compare two numbers. */
export const ORDERINGS = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
} as const;

const NUMERIC: Readonly<Partial<Record<BinaryOperator, Arithmetic>>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? undefined : a / b),
  '%': (a, b) => (b === 0 ? undefined : a % b),
  ...ORDERINGS,
};

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

/** Applies operators from left to right in a loop, so that their number is not limited by the stack. */
export function chain(
  first: Expression,
  links: readonly { readonly operation: Operation; readonly operand: Expression }[],
): Expression {
  const startsWithNumber = links[0]?.operation.isNumeric ?? false;
  return {
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

/** Null unless both operands are numbers and the result is in range. */
function numeric(compute: Arithmetic): Operation['apply'] {
  return (left, right) => {
    const a = toNumber(left);
    const b = a === undefined ? undefined : toNumber(right);
    if (a === undefined || b === undefined) return undefined;
    const result = compute(a, b);
    return typeof result === 'number' && !Number.isFinite(result) ? undefined : result;
  };
}

/** Compares numbers as numbers (`1.0 == 1`), everything else as strings. A comparison with null is null. */
function equal(a: Value, b: Value): boolean | undefined {
  const left = toText(a);
  const right = toText(b);
  if (left === undefined || right === undefined) return undefined;
  if (left === right) return true;
  const number = toNumber(a);
  return number !== undefined && number === toNumber(b);
}
