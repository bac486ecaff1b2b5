import { partsOfSequence } from '../sequences/parts-of-sequence.ts';
import { requireOrder } from '../sequences/sequence.ts';
import { aggregates, condition as conditionType, oneOf } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';

/** Splits the rows before or after those that satisfy a condition, and aggregates each part. */
export const partition = defineAggregate({
  name: 'partition',
  parameters: {
    function: required(aggregates, { unnamed: true }),
    condition: required(conditionType),
    split: withDefault(oneOf('before', 'after'), 'before'),
  },
  compile({ function: inner, condition, split }, call) {
    requireOrder('partition', call);
    return {
      columns: (before) => inner.columns(before),
      open(run) {
        const parts = partsOfSequence(inner, run);
        return {
          from(table) {
            const test = condition.over(table, run);
            const take = parts.from(table);
            return (index) => {
              const cuts = typeof test === 'boolean' ? test : test(index);
              if (cuts && split === 'before') parts.cut();
              take(index);
              if (cuts && split === 'after') parts.cut();
            };
          },
          rows: () => parts.rows(),
        };
      },
    };
  },
});
