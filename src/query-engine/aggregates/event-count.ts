import type { AggregateStep } from '../operators/operator.ts';
import { formatNumber } from '../value.ts';
import { singleField } from './single-field.ts';

/** `count(as=…)`: what several functions compute when they are told nothing else. */
export function countStep(as = '_count'): AggregateStep {
  return {
    columns: () => [as],
    reads: [],
    open() {
      let count = 0;
      const push = (): void => {
        count += 1;
      };
      return {
        push,
        from: () => push,
        rows: () => singleField(as, formatNumber(count)),
      };
    },
  };
}
