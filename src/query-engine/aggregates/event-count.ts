import type { AggregateStep, WindowAccumulator } from '../operators/operator.ts';
import { formatNumber } from '../value.ts';
import { singleField } from './single-field.ts';

/** `count(as=…)`, the default aggregate of several functions. */
export function countStep(as = '_count'): AggregateStep {
  const open = (): WindowAccumulator => {
    let count = 0;
    return {
      from: () => () => {
        count += 1;
      },
      forget: () => () => {
        count -= 1;
      },
      rows: () => singleField(as, formatNumber(count)),
    };
  };
  return { columns: () => [as], open, openWindow: open };
}
