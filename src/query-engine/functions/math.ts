import { type Fields, readField, writeField } from '../event.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { type ArgumentType, fieldName, oneOf, readText } from '../signature/argument-types.ts';
import {
  defineTransform,
  defineValue,
  type FunctionSpec,
  optional,
  required,
  withDefault,
} from '../signature/function-spec.ts';
import { formatNumber, parseNumber } from '../value.ts';

/** Reads a number from a row; `undefined` if there is none. */
interface ReadNumber {
  (row: Fields): number | undefined;
  /** The fields it reads. */
  readonly reads: readonly string[];
}

/** A number, or the name of a field with a number. */
const numberOrField: ArgumentType<ReadNumber> = {
  expects: 'a number or a field name',
  isList: false,
  read(node, scope) {
    const text = readText(node, scope);
    if (text === undefined) return undefined;
    const number = parseNumber(text);
    return number === undefined ? fieldNumber(text) : constantNumber(number);
  },
  fieldsOf: ({ reads }) => reads,
};

function fieldNumber(name: string): ReadNumber {
  const read = (row: Fields): number | undefined => {
    const value = readField(row, name);
    return value === undefined ? undefined : parseNumber(value);
  };
  return Object.assign(read, { reads: [name] });
}

function constantNumber(number: number): ReadNumber {
  return Object.assign(() => number, { reads: [] });
}

const DEGREES_PER_RADIAN = 180 / Math.PI;

/** Functions of one number. NaN and infinite results, such as the root of -1, give no result. */
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

/** The angle of the point (x, y) to the x axis, in radians. */
export const mathArctan2 = defineValue({
  name: 'math:arctan2',
  output: '_arctan2',
  parameters: { x: required(numberOrField), y: required(numberOrField), as: optional(fieldName) },
  compile:
    ({ x: readX, y: readY }) =>
    (row) => {
      const x = readX(row);
      const y = readY(row);
      return x === undefined || y === undefined ? undefined : Math.atan2(y, x);
    },
});

/** The remainder of a division, with the sign of the divisor. Both numbers are rounded down first. */
export const mathMod = defineValue({
  name: 'math:mod',
  output: '_mod',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    divisor: required(numberOrField),
    as: optional(fieldName),
  },
  compile({ field, divisor: readDivisor }) {
    const read = fieldNumber(field);
    return (row) => {
      const number = read(row);
      const divisor = readDivisor(row);
      if (number === undefined || divisor === undefined) return undefined;
      const whole = Math.floor(divisor);
      const rest = Math.floor(number) % whole;
      return rest !== 0 && rest < 0 !== whole < 0 ? rest + whole : rest;
    };
  },
});

export const mathPow = defineValue({
  name: 'math:pow',
  output: '_pow',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    exponent: required(numberOrField),
    as: optional(fieldName),
  },
  compile({ field, exponent: readExponent }) {
    const read = fieldNumber(field);
    return (row) => {
      const number = read(row);
      const exponent = readExponent(row);
      return number === undefined || exponent === undefined ? undefined : number ** exponent;
    };
  },
});

const RADIANS_PER_DEGREE = Math.PI / 180;
const one = constantNumber(1);

/** Spherical to Cartesian coordinates: `as.x`, `as.y`, `as.z`. Angles are in degrees, `polar` from the x-y plane. */
export const mathSpherical2cartesian = defineTransform({
  name: 'math:spherical2cartesian',
  uncertain: ['Angles are in degrees.'],
  parameters: {
    azimuth: required(numberOrField),
    polar: required(numberOrField),
    radius: withDefault(numberOrField, one),
    as: withDefault(fieldName, '_spherical2cartesian'),
  },
  compile: ({ azimuth: readAzimuth, polar: readPolar, radius: readRadius, as }) =>
    editStep(
      (row) => {
        const azimuth = readAzimuth(row);
        const polar = readPolar(row);
        const radius = readRadius(row);
        if (azimuth === undefined || polar === undefined || radius === undefined) return;
        const inPlane = radius * Math.cos(polar * RADIANS_PER_DEGREE);
        writeField(row, `${as}.x`, formatNumber(inPlane * Math.cos(azimuth * RADIANS_PER_DEGREE)));
        writeField(row, `${as}.y`, formatNumber(inPlane * Math.sin(azimuth * RADIANS_PER_DEGREE)));
        writeField(row, `${as}.z`, formatNumber(radius * Math.sin(polar * RADIANS_PER_DEGREE)));
      },
      (before) => withColumns(before, [`${as}.x`, `${as}.y`, `${as}.z`]),
    ),
});

/** Rounds a number to an integer. */
export const round = defineValue({
  name: 'round',
  output: ({ field }) => field,
  uncertain: ['Halves round up: 2.5 to 3 and -2.5 to -2.'],
  parameters: {
    field: required(fieldName, { unnamed: true }),
    how: withDefault(oneOf('round', 'ceil', 'floor'), 'round'),
    as: optional(fieldName),
  },
  compile({ field, how }) {
    const convert = Math[how];
    const read = fieldNumber(field);
    return (row) => {
      const number = read(row);
      return number === undefined ? undefined : convert(number);
    };
  },
});
