import { DistinctValues } from '../aggregates/distinct-values.ts';
import { countStep } from '../aggregates/event-count.ts';
import { singleField } from '../aggregates/single-field.ts';
import { columnTest, takeWhere } from '../columns/column-test.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Accumulator, WindowAccumulator } from '../operators/operator.ts';
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
    const facts = { columns: () => [as], reads: [field] };
    if (distinct) return { ...facts, open: (run) => countDistinct(field, as, run) };
    const open = (): WindowAccumulator => countField(field, as);
    return { ...facts, open, openWindow: open };
  },
});

function countField(field: string, as: string): WindowAccumulator {
  let found = 0;
  const add = (table: EventTable, change: number): TakeEvent | undefined => {
    const has = columnTest(table.column(field), (value) => value !== undefined);
    return takeWhere(has, () => {
      found += change;
    });
  };
  return {
    from: (table) => add(table, 1),
    forget: (table) => add(table, -1),
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
