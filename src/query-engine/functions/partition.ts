import { PartsOfSequence } from '../sequences/parts-of-sequence.ts';
import { requireOrder } from '../sequences/sequence.ts';
import { aggregates, condition, oneOf } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';

/** Cuts the rows before or after those that meet a condition, and aggregates each part. */
export const partition = defineAggregate({
  name: 'partition',
  parameters: {
    function: required(aggregates, { unnamed: true }),
    condition: required(condition),
    split: withDefault(oneOf('before', 'after'), 'before'),
  },
  compile({ function: inner, condition: isMet, split }, call) {
    requireOrder('partition', call);
    return {
      columns: (before) => inner.columns(before),
      open(run) {
        const parts = new PartsOfSequence(inner, run);
        return {
          push(row, stored) {
            const cuts = isMet(row, stored, run);
            if (cuts && split === 'before') parts.cut();
            parts.push(row, stored);
            if (cuts && split === 'after') parts.cut();
          },
          rows: () => parts.rows(),
        };
      },
    };
  },
});
