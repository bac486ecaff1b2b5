import { defineNumericAggregate } from '../aggregates/numeric-aggregate.ts';

/** The standard deviation of a field's numbers, taken as the whole population. */
export const stdDev = defineNumericAggregate(
  'stdDev',
  '_stddev',
  () => {
    // Welford's method: no sum of squares that loses the small differences between large numbers.
    let count = 0;
    let mean = 0;
    let squares = 0;
    return {
      add(number) {
        count += 1;
        const distance = number - mean;
        mean += distance / count;
        squares += distance * (number - mean);
      },
      result: () => (count === 0 ? undefined : Math.sqrt(squares / count)),
    };
  },
  { uncertain: ['The result is the population standard deviation, not the sample standard deviation.'] },
);
