import type { BinaryOperator } from '../../query-language/index.ts';
import type { EventTable } from '../columns/event-table.ts';
import { toNumber, toText, type Value } from '../value.ts';
import type { Evaluate } from './scope.ts';

/** What an operator makes of two values. */
export type Operation = (a: Value, b: Value) => Value;

type Arithmetic = (a: number, b: number) => Value;

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
  if (compute !== undefined) return numeric(compute);
  if (operator === '==') return equal;
  return (a, b) => {
    const isEqual = equal(a, b);
    return isEqual === undefined ? undefined : !isEqual;
  };
}

/** Null unless both sides are numbers, and where the result is beyond the range of numbers. */
function numeric(compute: Arithmetic): Operation {
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

/** How an operation looks at columns, where both of its sides can do that. */
export function inColumns(
  operator: BinaryOperator,
  apply: Operation,
  left: Evaluate,
  right: Evaluate,
): Pick<Evaluate, 'valuesIn' | 'numbersIn'> {
  const compute = NUMERIC[operator];
  if (compute !== undefined && left.numbersIn !== undefined && right.numbersIn !== undefined) {
    const [leftIn, rightIn] = [left.numbersIn, right.numbersIn];
    const valuesIn = (table: EventTable): ((index: number) => Value) => {
      const [a, b] = [leftIn(table), rightIn(table)];
      return (index) => {
        const [x, y] = [a(index), b(index)];
        if (Number.isNaN(x) || Number.isNaN(y)) return undefined;
        const result = compute(x, y);
        return typeof result === 'number' && !Number.isFinite(result) ? undefined : result;
      };
    };
    return { valuesIn, numbersIn: (table) => numbersOf(valuesIn(table)) };
  }
  if (left.valuesIn === undefined || right.valuesIn === undefined) return {};
  const [leftIn, rightIn] = [left.valuesIn, right.valuesIn];
  const valuesIn = (table: EventTable): ((index: number) => Value) => {
    const [a, b] = [leftIn(table), rightIn(table)];
    return (index) => apply(a(index), b(index));
  };
  return { valuesIn, numbersIn: (table) => numbersOf(valuesIn(table)) };
}

function numbersOf(valueAt: (index: number) => Value): (index: number) => number {
  return (index) => toNumber(valueAt(index)) ?? Number.NaN;
}
