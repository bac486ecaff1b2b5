import { defineNumericAggregate } from '../aggregates/numeric-aggregate.ts';

/** How far the largest of a field's numbers is from the smallest. */
export const range = defineNumericAggregate('range', '_range', () => {
  let smallest = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  return {
    add(number) {
      smallest = Math.min(smallest, number);
      largest = Math.max(largest, number);
    },
    result: () => (largest < smallest ? undefined : largest - smallest),
  };
});
