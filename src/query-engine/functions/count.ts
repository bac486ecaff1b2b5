import { DistinctValues } from '../aggregates/distinct-values.ts';
import { countStep } from '../aggregates/event-count.ts';
import { singleField } from '../aggregates/single-field.ts';
import { columnTest } from '../columns/column-test.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { type Fields, readField } from '../event.ts';
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
      open: (run) => (distinct ? new DistinctCount(field, as, run) : new FieldCount(field, as)),
    };
  },
});

class FieldCount implements Accumulator {
  readonly #field: string;
  readonly #as: string;
  #count = 0;

  constructor(field: string, as: string) {
    this.#field = field;
    this.#as = as;
  }

  push(row: Fields): void {
    if (readField(row, this.#field) !== undefined) this.#count += 1;
  }

  from(table: EventTable): TakeEvent | undefined {
    const has = columnTest(table.column(this.#field), (value) => value !== undefined);
    if (has === false) return undefined;
    return (index) => {
      if (has === true || has(index)) this.#count += 1;
    };
  }

  rows(): readonly Fields[] {
    return singleField(this.#as, formatNumber(this.#count));
  }
}

class DistinctCount implements Accumulator {
  readonly #field: string;
  readonly #as: string;
  readonly #values: DistinctValues;

  constructor(field: string, as: string, run: RunScope) {
    this.#field = field;
    this.#as = as;
    this.#values = new DistinctValues(MAX_EXACT, run);
  }

  push(row: Fields): void {
    const value = readField(row, this.#field);
    if (value !== undefined) this.#values.add(value);
  }

  from(table: EventTable): TakeEvent {
    const column = table.column(this.#field);
    return (index) => {
      const value = column.at(index);
      if (value !== undefined) this.#values.add(value);
    };
  }

  rows(): readonly Fields[] {
    return singleField(this.#as, formatNumber(this.#values.size));
  }
}
