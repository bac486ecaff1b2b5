import { numberOrField } from '../numbers/number-or-field.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';

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
