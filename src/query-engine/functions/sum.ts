import { defineNumericAggregate } from '../aggregates/numeric-aggregate.ts';
import { SlidingFold } from '../aggregates/sliding-fold.ts';

/** The sum of a field's numbers, 0 when there are none. */
export const sum = defineNumericAggregate(
  'sum',
  '_sum',
  () => {
    let total = 0;
    return {
      add(number) {
        total += number;
      },
      result: () => total,
    };
  },
  {
    startWindow: () =>
      new SlidingFold(
        (a, b) => a + b,
        (total = 0) => total,
      ),
  },
);
