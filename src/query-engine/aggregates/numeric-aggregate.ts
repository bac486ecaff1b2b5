import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Accumulator, WindowAccumulator } from '../operators/operator.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineAggregate, type FunctionSpec, required, withDefault } from '../signature/function-spec.ts';
import { toText } from '../value.ts';
import { singleField } from './single-field.ts';
import { SlidingFold } from './sliding-fold.ts';

/** What is computed of numbers: each makes a state, and states are combined. */
export interface NumberFold<State> {
  of(number: number): State;
  combine(older: State, newer: State): State;
  /** The result for one number or more. */
  result(state: State, count: number): number;
  /** The result without numbers. Default: none. */
  readonly empty?: number;
}

/**
 * An aggregate over the numbers in one field. Values that are missing or no numbers are left out, and a result that
 * is beyond the range of numbers is no result.
 */
export function defineNumericAggregate<State>(
  name: string,
  output: string,
  fold: NumberFold<State>,
  uncertain: readonly string[] = [],
): FunctionSpec {
  return defineAggregate({
    name,
    uncertain,
    parameters: {
      field: required(fieldName, { unnamed: true }),
      as: withDefault(fieldName, output),
    },
    compile: ({ field, as }) => ({
      columns: () => [as],
      reads: [field],
      open: () => openFold(fold, field, as),
      openWindow: () => openSlidingFold(fold, field, as),
    }),
  });
}

function openFold<State>(fold: NumberFold<State>, field: string, as: string): Accumulator {
  let total: State | undefined;
  let count = 0;
  const add = (number: number): void => {
    const state = fold.of(number);
    total = count === 0 ? state : fold.combine(total!, state);
    count += 1;
  };
  return {
    from: (table) => takeNumbers(table, field, add),
    rows: () => singleField(as, toText(count === 0 ? fold.empty : fold.result(total!, count))),
  };
}

function openSlidingFold<State>(fold: NumberFold<State>, field: string, as: string): WindowAccumulator {
  const window = new SlidingFold(fold.combine);
  return {
    from: (table) => takeNumbers(table, field, (number) => window.add(fold.of(number))),
    forget: (table) => takeNumbers(table, field, () => window.forget()),
    rows() {
      const total = window.total();
      return singleField(as, toText(total === undefined ? fold.empty : fold.result(total, window.size)));
    },
  };
}

/** Takes the numbers in a field. */
export function takeNumbers(table: EventTable, field: string, add: (number: number) => void): TakeEvent {
  const numberAt = table.column(field).numberReader();
  return (index) => {
    const number = numberAt(index);
    if (!Number.isNaN(number)) add(number);
  };
}
