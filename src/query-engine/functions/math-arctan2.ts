import { fieldName } from '../argument-types.ts';
import { defineValue, optional, required } from '../function-spec.ts';
import { numberOrField } from '../number-or-field.ts';

/** The angle of the point (x, y), in radians from the x axis. */
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
