import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional } from '../signature/function-spec.ts';

/** How many fields an event has, tags not counted. */
export const eventFieldCount = defineValue({
  name: 'eventFieldCount',
  output: '_eventFieldCount',
  parameters: { as: optional(fieldName) },
  compile: () => (row) => {
    let count = 0;
    for (const name in row) {
      if (!name.startsWith('#')) count += 1;
    }
    return count;
  },
});
