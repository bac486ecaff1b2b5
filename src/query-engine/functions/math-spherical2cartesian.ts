import { writeField } from '../event.ts';
import { constantNumber, numberOrField } from '../numbers/number-or-field.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineTransform, required, withDefault } from '../signature/function-spec.ts';
import { formatNumber } from '../value.ts';

const RADIANS_PER_DEGREE = Math.PI / 180;
const one = constantNumber(1);

/** Where a point on a sphere is: `as.x`, `as.y`, `as.z`. Angles are in degrees, `polar` from the plane of x and y. */
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
