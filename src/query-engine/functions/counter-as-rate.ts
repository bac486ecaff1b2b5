import { singleField } from '../aggregates/single-field.ts';
import { readField } from '../event.ts';
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
 * The growth of a counter per second, from its first to its last value. No result if it ever decreases (a reset), or if
 * all values have the same time.
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
      open: () => counterRate(field, as),
    }),
});

function counterRate(field: string, as: string): RowAccumulator {
  let first: Point | undefined;
  let last: Point | undefined;
  let wasReset = false;
  return {
    push(row) {
      const time = timeOf(row);
      const value = parseNumber(readField(row, field) ?? '');
      if (time === undefined || value === undefined) return;
      const point = { time, value };
      first ??= point;
      if (last !== undefined && value < last.value) wasReset = true;
      last = point;
    },
    rows() {
      if (first === undefined || last === undefined || wasReset) return [];
      const seconds = (last.time - first.time) / 1000;
      return seconds <= 0 ? [] : singleField(as, toText((last.value - first.value) / seconds));
    },
  };
}
