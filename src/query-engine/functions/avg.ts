import { defineNumericAggregate } from '../aggregates/numeric-aggregate.ts';
import { SlidingFold } from '../aggregates/sliding-fold.ts';

/** The mean of a field's numbers. */
export const avg = defineNumericAggregate(
  'avg',
  '_avg',
  () => {
    let total = 0;
    let count = 0;
    return {
      add(number) {
        total += number;
        count += 1;
      },
      result: () => (count === 0 ? undefined : total / count),
    };
  },
  {
    startWindow: () =>
      new SlidingFold(
        (a, b) => a + b,
        (total, size) => (total === undefined ? undefined : total / size),
      ),
  },
);
