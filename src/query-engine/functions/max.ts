import { defineNumericAggregate } from '../aggregates/numeric-aggregate.ts';
import { SlidingFold } from '../aggregates/sliding-fold.ts';

/** The largest of a field's numbers. */
export const max = defineNumericAggregate(
  'max',
  '_max',
  () => {
    let largest: number | undefined;
    return {
      add(number) {
        if (largest === undefined || number > largest) largest = number;
      },
      result: () => largest,
    };
  },
  { startWindow: () => new SlidingFold(Math.max) },
);
