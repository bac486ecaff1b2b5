import { fieldNumber } from '../numbers/number-or-field.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineValue, type FunctionSpec, optional, required } from '../signature/function-spec.ts';

const DEGREES_PER_RADIAN = 180 / Math.PI;

/** The functions that make one number of another. No number, such as the root of -1, is no result. */
const OPERATIONS: Readonly<Record<string, (number: number) => number>> = {
  abs: Math.abs,
  arccos: Math.acos,
  arcsin: Math.asin,
  arctan: Math.atan,
  ceil: Math.ceil,
  cos: Math.cos,
  cosh: Math.cosh,
  deg2rad: (degrees) => degrees / DEGREES_PER_RADIAN,
  exp: Math.exp,
  expm1: Math.expm1,
  floor: Math.floor,
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  log2: Math.log2,
  rad2deg: (radians) => radians * DEGREES_PER_RADIAN,
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
};

export const mathFunctions: readonly FunctionSpec[] = Object.entries(OPERATIONS).map(([name, compute]) =>
  defineValue({
    name: `math:${name}`,
    output: `_${name}`,
    parameters: { field: required(fieldName, { unnamed: true }), as: optional(fieldName) },
    compile({ field }) {
      const read = fieldNumber(field);
      return (row) => {
        const number = read(row);
        return number === undefined ? undefined : compute(number);
      };
    },
  }),
);
