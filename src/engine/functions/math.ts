import { computedValues } from '../columns/computed.ts';
import { constant, convertedNumber, type Expression, fieldValue } from '../columns/expression.ts';
import { writeField } from '../event.ts';
import { editStep } from '../operators/row-code.ts';
import { type ArgumentType, fieldName, oneOf, readText } from '../signature/argument-types.ts';
import { define, type FunctionSpec, required, unnamed, withDefault } from '../signature/function-spec.ts';
import { formatNumber, parseNumber, toNumber } from '../value.ts';

/** A number, or the name of a field with a number. */
const numberOrField: ArgumentType<Expression> = {
  expects: 'a number or a field name',
  read(node, scope) {
    const text = readText(node, scope);
    if (text === undefined) return undefined;
    const number = parseNumber(text);
    return number === undefined ? fieldValue(text) : constant(number);
  },
};

/** Computes a value from numbers; null if one of the expressions is not a number. */
function ofNumbers(
  parts: readonly Expression[],
  compute: (...numbers: readonly number[]) => number,
): Expression {
  return {
    over(table, run) {
      const readers = parts.map((part) => part.over(table, run).numberReader());
      return computedValues((index) => {
        const numbers = readers.map((numberAt) => numberAt(index));
        return numbers.some(Number.isNaN) ? undefined : compute(...numbers);
      });
    },
  };
}

const RADIANS_PER_DEGREE = Math.PI / 180;

/** Functions of one number that have the same name in JavaScript. */
const SAME = 'abs ceil cos cosh exp expm1 floor log log10 log1p log2 sin sinh sqrt tan tanh'.split(' ');

/** Functions of one number. NaN and infinite results, such as the root of -1, give no result. */
const OPERATIONS: Readonly<Record<string, (number: number) => number>> = {
  ...Object.fromEntries(SAME.map((name) => [name, Math[name as 'abs']])),
  arccos: Math.acos,
  arcsin: Math.asin,
  arctan: Math.atan,
  deg2rad: (degrees) => degrees * RADIANS_PER_DEGREE,
  rad2deg: (radians) => radians / RADIANS_PER_DEGREE,
};

export const mathFunctions: readonly FunctionSpec[] = Object.entries(OPERATIONS).map(([name, compute]) =>
  define.value({
    name: `math:${name}`,
    parameters: { field: unnamed(fieldName) },
    compile: ({ field }) => convertedNumber(field, compute),
  }),
);

/** The angle of the point (x, y) to the x axis, in radians. */
export const mathArctan2 = define.value({
  name: 'math:arctan2',
  parameters: { x: required(numberOrField), y: required(numberOrField) },
  compile: ({ x, y }) => ofNumbers([y, x], Math.atan2),
});

/** The remainder of a division, with the sign of the divisor. Both numbers are rounded down first. */
export const mathMod = define.value({
  name: 'math:mod',
  parameters: { field: unnamed(fieldName), divisor: required(numberOrField) },
  compile: ({ field, divisor }) =>
    ofNumbers([fieldValue(field), divisor], (number, by) => {
      const whole = Math.floor(by);
      const rest = Math.floor(number) % whole;
      return rest !== 0 && rest < 0 !== whole < 0 ? rest + whole : rest;
    }),
});

export const mathPow = define.value({
  name: 'math:pow',
  parameters: { field: unnamed(fieldName), exponent: required(numberOrField) },
  compile: ({ field, exponent }) => ofNumbers([fieldValue(field), exponent], Math.pow),
});

/** Spherical to Cartesian coordinates: `as.x`, `as.y`, `as.z`. Angles are in degrees, `polar` from the x-y plane. */
export const mathSpherical2cartesian = define.transform({
  name: 'math:spherical2cartesian',
  uncertain: ['Angles are in degrees.'],
  parameters: {
    azimuth: required(numberOrField),
    polar: required(numberOrField),
    radius: withDefault(numberOrField, constant(1)),
    as: withDefault(fieldName, '_spherical2cartesian'),
  },
  compile: ({ azimuth, polar, radius, as }) =>
    editStep(
      (row, _run, values) => {
        const [around, up, length] = values.map(toNumber);
        if (around === undefined || up === undefined || length === undefined) return;
        const inPlane = length * Math.cos(up * RADIANS_PER_DEGREE);
        writeField(row, `${as}.x`, formatNumber(inPlane * Math.cos(around * RADIANS_PER_DEGREE)));
        writeField(row, `${as}.y`, formatNumber(inPlane * Math.sin(around * RADIANS_PER_DEGREE)));
        writeField(row, `${as}.z`, formatNumber(length * Math.sin(up * RADIANS_PER_DEGREE)));
      },
      [`${as}.x`, `${as}.y`, `${as}.z`],
      [azimuth, polar, radius],
    ),
});

/** Rounds a number to an integer. */
export const round = define.value({
  name: 'round',
  output: ({ field }) => field,
  uncertain: ['Halves round up: 2.5 to 3 and -2.5 to -2.'],
  parameters: { field: unnamed(fieldName), how: withDefault(oneOf('round', 'ceil', 'floor'), 'round') },
  compile: ({ field, how }) => convertedNumber(field, Math[how]),
});
