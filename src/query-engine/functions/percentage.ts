import { singleField } from '../aggregates/single-field.ts';
import { expression, fieldName } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';
import { toBoolean, toText } from '../value.ts';

/** How many of 100 events meet a condition; nothing when there are no events. A condition that is null is not met. */
export const percentage = defineAggregate({
  name: 'percentage',
  parameters: {
    condition: required(expression, { unnamed: true }),
    as: withDefault(fieldName, '_percentage'),
  },
  uncertain: ['Without events, there is no result row.'],
  compile: ({ condition, as }) => ({
    columns: () => [as],
    reads: condition.reads,
    open(run) {
      let all = 0;
      let met = 0;
      return {
        from(table) {
          const values = condition.over(table, run);
          return (index) => {
            all += 1;
            if (toBoolean(values.at(index)) === true) met += 1;
          };
        },
        rows: () => singleField(as, all === 0 ? undefined : toText((met / all) * 100)),
      };
    },
  }),
});
