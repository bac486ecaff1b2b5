import { defineNumericAggregate } from '../aggregates/numeric-aggregate.ts';

/** The sum of a field's numbers, 0 when there are none. */
export const sum = defineNumericAggregate('sum', '_sum', () => {
  let total = 0;
  return {
    add(number) {
      total += number;
    },
    result: () => total,
  };
});
