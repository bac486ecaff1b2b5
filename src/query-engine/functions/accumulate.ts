import { requireOrder } from '../sequences/sequence.ts';
import { slidingAggregate } from '../sequences/sliding-window.ts';
import { aggregates, oneOf } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';

/** Adds to each row an aggregate of all rows up to it, with or without the row itself. */
export const accumulate = defineAggregate({
  name: 'accumulate',
  parameters: {
    function: required(aggregates, { unnamed: true }),
    current: withDefault(oneOf('include', 'exclude'), 'include'),
  },
  compile({ function: inner, current }, call) {
    requireOrder('accumulate', call);
    return slidingAggregate({ name: 'accumulate', inner, current });
  },
});
