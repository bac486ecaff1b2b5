import { defineNumericAggregate } from '../aggregates/numeric-aggregate.ts';

/** The smallest of a field's numbers. */
export const min = defineNumericAggregate('min', '_min', () => {
  let smallest: number | undefined;
  return {
    add(number) {
      if (smallest === undefined || number < smallest) smallest = number;
    },
    result: () => smallest,
  };
});
