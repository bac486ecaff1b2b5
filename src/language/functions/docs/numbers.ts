import { functionGroup } from './function-doc.ts';

export const numberDocs = functionGroup(
  'Numbers and units',
  `
round: Rounds a number to an integer. ⇒ groupBy(#service, function=avg(ms)) | round(_avg)
unit:convert: Converts a value between units. ⇒ unit:convert(size, to=MB, keepUnit=true)
math:abs: Returns the absolute value of a number. ⇒ result := math:abs(delta)
math:ceil: Rounds a number up to an integer. ⇒ result := math:ceil(delta)
math:floor: Rounds a number down to an integer. ⇒ result := math:floor(delta)
math:mod: Returns the remainder of a division, with the sign of the divisor. ⇒ shard := math:mod(userId, divisor=4)
math:pow: Raises a number to a power. ⇒ delay := math:pow(base, exponent=attempt)
math:sqrt: Returns the square root of a number. ⇒ deviation := math:sqrt(variance)
math:exp: Returns e raised to the power of a number. ⇒ value := math:exp(logarithm)
math:expm1: Returns e raised to the power of a number, minus 1, with full precision near 0. ⇒ growth := math:expm1(rate)
math:log: Returns the natural logarithm of a number. ⇒ magnitude := math:log(size)
math:log1p: Returns the natural logarithm of 1 plus a number, with full precision near 0. ⇒ rate := math:log1p(growth)
math:log2: Returns the base-2 logarithm of a number. ⇒ magnitude := math:log2(size)
math:log10: Returns the base-10 logarithm of a number. ⇒ magnitude := math:log10(size)
math:deg2rad: Converts degrees to radians. ⇒ radians := math:deg2rad(degrees)
math:rad2deg: Converts radians to degrees. ⇒ degrees := math:rad2deg(radians)
math:sin: Returns the sine of an angle in radians. ⇒ result := math:sin(radians)
math:cos: Returns the cosine of an angle in radians. ⇒ result := math:cos(radians)
math:tan: Returns the tangent of an angle in radians. ⇒ result := math:tan(radians)
math:arcsin: Returns the arcsine of a number, in radians. ⇒ result := math:arcsin(ratio)
math:arccos: Returns the arccosine of a number, in radians. ⇒ result := math:arccos(ratio)
math:arctan: Returns the arctangent of a number, in radians. ⇒ result := math:arctan(ratio)
math:arctan2: Returns the angle between the positive x-axis and the point (x, y), in radians. ⇒ angle := math:arctan2(x=dx, y=dy)
math:sinh: Returns the hyperbolic sine of a number. ⇒ result := math:sinh(ratio)
math:cosh: Returns the hyperbolic cosine of a number. ⇒ result := math:cosh(ratio)
math:tanh: Returns the hyperbolic tangent of a number. ⇒ result := math:tanh(ratio)
math:spherical2cartesian: Converts spherical coordinates to Cartesian coordinates. ⇒ point := math:spherical2cartesian(azimuth=azimuth, polar=polar, radius=2)
`,
);
