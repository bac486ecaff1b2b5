import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Accumulator } from '../operators/operator.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineAggregate, type FunctionSpec, required, withDefault } from '../signature/function-spec.ts';
import { toText } from '../value.ts';
import { singleField } from './single-field.ts';

/** Collects numbers one at a time. */
export interface NumberFold {
  add(number: number): void;
  /** `undefined` when there is nothing to say about the numbers so far. */
  result(): number | undefined;
}

/** Numbers of a sliding window, which leave in the order in which they came. */
export interface SlidingNumberFold extends NumberFold {
  forget(number: number): void;
}

interface NumericAggregateOptions {
  readonly startWindow?: () => SlidingNumberFold;
  readonly uncertain?: readonly string[];
}

/**
 * An aggregate over the numbers in one field. Values that are missing or no numbers are left out, and a result that
 * is beyond the range of numbers is no result.
 */
export function defineNumericAggregate(
  name: string,
  output: string,
  startFold: () => NumberFold,
  { startWindow, uncertain = [] }: NumericAggregateOptions = {},
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
      open: () => openFold(startFold(), field, as),
      ...(startWindow && {
        openWindow() {
          const fold = startWindow();
          return {
            ...openFold(fold, field, as),
            forget: (table) => takeNumbers(table, field, (number) => fold.forget(number)),
          };
        },
      }),
    }),
  });
}

function openFold(fold: NumberFold, field: string, as: string): Accumulator {
  return {
    from: (table) => takeNumbers(table, field, (number) => fold.add(number)),
    rows: () => singleField(as, toText(fold.result())),
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
