import { DistinctValues } from '../aggregates/distinct-values.ts';
import { countStep } from '../aggregates/event-count.ts';
import { singleField } from '../aggregates/single-field.ts';
import { columnTest, takeWhere } from '../columns/column-test.ts';
import type { Accumulator } from '../operators/operator.ts';
import type { RunScope } from '../run/run-context.ts';
import { fieldName, flag } from '../signature/argument-types.ts';
import { defineAggregate, optional, withDefault } from '../signature/function-spec.ts';
import { formatNumber } from '../value.ts';

/** Up to here distinct values are counted exactly; beyond, the number is an estimate within about one percent. */
const MAX_EXACT = 100_000;

/** The number of events, of those that have a field, or of a field's distinct values. */
export const count = defineAggregate({
  name: 'count',
  partial: [
    `Up to ${MAX_EXACT.toLocaleString('en-US')} distinct values are counted exactly. Larger counts are estimates, accurate to about 1%.`,
  ],
  parameters: {
    field: optional(fieldName, { unnamed: true }),
    as: withDefault(fieldName, '_count'),
    distinct: withDefault(flag, false),
  },
  compile({ field, as, distinct }, call) {
    if (field === undefined) {
      return distinct ? call.fail('count(distinct=true) needs a field', 'distinct') : countStep(as);
    }
    return {
      columns: () => [as],
      reads: [field],
      open: (run) => (distinct ? countDistinct(field, as, run) : countField(field, as)),
    };
  },
});

function countField(field: string, as: string): Accumulator {
  let found = 0;
  return {
    from(table) {
      const has = columnTest(table.column(field), (value) => value !== undefined);
      return takeWhere(has, () => {
        found += 1;
      });
    },
    rows: () => singleField(as, formatNumber(found)),
  };
}

function countDistinct(field: string, as: string, run: RunScope): Accumulator {
  const values = new DistinctValues(MAX_EXACT, run);
  return {
    from(table) {
      const column = table.column(field);
      return (index) => {
        const value = column.at(index);
        if (value !== undefined) values.add(value);
      };
    },
    rows: () => singleField(as, formatNumber(values.size)),
  };
}
