import { requireOrder } from '../sequences/sequence.ts';
import { slidingAggregate } from '../sequences/sliding-window.ts';
import { aggregates, integer, oneOf } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';

const MAX_EVENTS = 1000;

/** Adds to each row an aggregate of the previous rows, with or without the row itself. */
export const slidingWindow = defineAggregate({
  name: 'slidingWindow',
  parameters: {
    function: required(aggregates, { unnamed: true }),
    events: required(integer({ min: 1, max: MAX_EVENTS })),
    current: withDefault(oneOf('include', 'exclude'), 'include'),
  },
  uncertain: ['With `current=exclude`, the window has the same number of rows, all before the current row.'],
  compile({ function: inner, events, current }, call) {
    requireOrder('slidingWindow', call);
    return slidingAggregate({
      name: 'slidingWindow',
      inner,
      current,
      bounds: () => ({ has: () => true, hasLeft: (_oldest, _row, size) => size > events }),
    });
  },
});
