import { defineNumericAggregate } from '../aggregates/numeric-aggregate.ts';
import { SlidingFold } from '../aggregates/sliding-fold.ts';

/** The smallest of a field's numbers. */
export const min = defineNumericAggregate(
  'min',
  '_min',
  () => {
    let smallest: number | undefined;
    return {
      add(number) {
        if (smallest === undefined || number < smallest) smallest = number;
      },
      result: () => smallest,
    };
  },
  { startWindow: () => new SlidingFold(Math.min) },
);
