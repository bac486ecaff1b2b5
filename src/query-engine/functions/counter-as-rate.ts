import { singleField } from '../aggregates/single-field.ts';
import { type Fields, readField } from '../event.ts';
import { type RowAccumulator, rowAggregate } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';
import { timeOf } from '../time/event-time.ts';
import { parseNumber, toText } from '../value.ts';

interface Point {
  readonly time: number;
  readonly value: number;
}

/**
 * How fast a counter grows, per second: from its first to its last value. Nothing when it ever goes down, for it was
 * reset then, or when there are no two moments.
 */
export const counterAsRate = defineAggregate({
  name: 'counterAsRate',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    as: withDefault(fieldName, '_rate'),
  },
  uncertain: ['The rate is computed from the first and last value by time.'],
  compile: ({ field, as }) =>
    rowAggregate({
      columns: () => [as],
      open: () => new CounterRate(field, as),
    }),
});

class CounterRate implements RowAccumulator {
  readonly #field: string;
  readonly #as: string;
  #first: Point | undefined;
  #last: Point | undefined;
  #wasReset = false;

  constructor(field: string, as: string) {
    this.#field = field;
    this.#as = as;
  }

  push(row: Fields): void {
    const time = timeOf(row);
    const value = parseNumber(readField(row, this.#field) ?? '');
    if (time === undefined || value === undefined) return;
    const point = { time, value };
    this.#first ??= point;
    if (this.#last !== undefined && value < this.#last.value) this.#wasReset = true;
    this.#last = point;
  }

  rows(): readonly Fields[] {
    if (this.#first === undefined || this.#last === undefined || this.#wasReset) return [];
    const seconds = (this.#last.time - this.#first.time) / 1000;
    if (seconds <= 0) return [];
    return singleField(this.#as, toText((this.#last.value - this.#first.value) / seconds));
  }
}
