import type { AggregateStep } from '../operators/operator.ts';
import { formatNumber } from '../value.ts';
import { singleField } from './single-field.ts';

/** `count(as=…)`: what several functions compute when they are told nothing else. */
export function countStep(as = '_count'): AggregateStep {
  return {
    columns: () => [as],
    open() {
      let count = 0;
      return {
        from: () => () => {
          count += 1;
        },
        rows: () => singleField(as, formatNumber(count)),
      };
    },
  };
}
