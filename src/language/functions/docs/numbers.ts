import type { FunctionDoc, FunctionGroup } from './function-doc.ts';

export const numberDocs: FunctionGroup = {
  title: 'Numbers and units',
  functions: {
    round: {
      sentence: 'Rounds a number to an integer.',
      example: 'groupBy(#service, function=avg(ms)) | round(_avg)',
    },
    'unit:convert': {
      sentence: 'Converts a value between units.',
      example: 'unit:convert(size, to=MB, keepUnit=true)',
    },
    'math:abs': toResult('Returns the absolute value of a number.', 'math:abs(delta)'),
    'math:ceil': toResult('Rounds a number up to an integer.', 'math:ceil(delta)'),
    'math:floor': toResult('Rounds a number down to an integer.', 'math:floor(delta)'),
    'math:mod': {
      sentence: 'Returns the remainder of a division, with the sign of the divisor.',
      example: 'shard := math:mod(userId, divisor=4)',
    },
    'math:pow': {
      sentence: 'Raises a number to a power.',
      example: 'delay := math:pow(base, exponent=attempt)',
    },
    'math:sqrt': {
      sentence: 'Returns the square root of a number.',
      example: 'deviation := math:sqrt(variance)',
    },
    'math:exp': {
      sentence: 'Returns e raised to the power of a number.',
      example: 'value := math:exp(logarithm)',
    },
    'math:expm1': {
      sentence: 'Returns e raised to the power of a number, minus 1, with full precision near 0.',
      example: 'growth := math:expm1(rate)',
    },
    'math:log': onSize('Returns the natural logarithm of a number.', 'math:log(size)'),
    'math:log1p': {
      sentence: 'Returns the natural logarithm of 1 plus a number, with full precision near 0.',
      example: 'rate := math:log1p(growth)',
    },
    'math:log2': onSize('Returns the base-2 logarithm of a number.', 'math:log2(size)'),
    'math:log10': onSize('Returns the base-10 logarithm of a number.', 'math:log10(size)'),
    'math:deg2rad': {
      sentence: 'Converts degrees to radians.',
      example: 'radians := math:deg2rad(degrees)',
    },
    'math:rad2deg': {
      sentence: 'Converts radians to degrees.',
      example: 'degrees := math:rad2deg(radians)',
    },
    'math:sin': toResult('Returns the sine of an angle in radians.', 'math:sin(radians)'),
    'math:cos': toResult('Returns the cosine of an angle in radians.', 'math:cos(radians)'),
    'math:tan': toResult('Returns the tangent of an angle in radians.', 'math:tan(radians)'),
    'math:arcsin': toResult('Returns the arcsine of a number, in radians.', 'math:arcsin(ratio)'),
    'math:arccos': toResult('Returns the arccosine of a number, in radians.', 'math:arccos(ratio)'),
    'math:arctan': toResult('Returns the arctangent of a number, in radians.', 'math:arctan(ratio)'),
    'math:arctan2': {
      sentence: 'Returns the angle between the positive x-axis and the point (x, y), in radians.',
      example: 'angle := math:arctan2(x=dx, y=dy)',
    },
    'math:sinh': toResult('Returns the hyperbolic sine of a number.', 'math:sinh(ratio)'),
    'math:cosh': toResult('Returns the hyperbolic cosine of a number.', 'math:cosh(ratio)'),
    'math:tanh': toResult('Returns the hyperbolic tangent of a number.', 'math:tanh(ratio)'),
    'math:spherical2cartesian': {
      sentence: 'Converts spherical coordinates to Cartesian coordinates.',
      example: 'point := math:spherical2cartesian(azimuth=azimuth, polar=polar, radius=2)',
    },
  },
};

function toResult(sentence: string, call: string): FunctionDoc {
  return { sentence, example: `result := ${call}` };
}

function onSize(sentence: string, call: string): FunctionDoc {
  return { sentence, example: `magnitude := ${call}` };
}
