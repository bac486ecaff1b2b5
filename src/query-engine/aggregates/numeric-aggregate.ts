import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { type Fields, readField } from '../event.ts';
import type { Accumulator } from '../operators/operator.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineAggregate, type FunctionSpec, required, withDefault } from '../signature/function-spec.ts';
import { parseNumber, toText } from '../value.ts';
import { singleField } from './single-field.ts';

/** Collects numbers one at a time. */
export interface NumberFold {
  add(number: number): void;
  /** `undefined` when there is nothing to say about the numbers so far. */
  result(): number | undefined;
}

/**
 * An aggregate over the numbers in one field. Values that are missing or no numbers are left out, and a result that
 * is beyond the range of numbers is no result.
 */
export function defineNumericAggregate(
  name: string,
  output: string,
  startFold: () => NumberFold,
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
      open: () => new NumericAccumulator(field, as, startFold()),
    }),
  });
}

class NumericAccumulator implements Accumulator {
  readonly #field: string;
  readonly #as: string;
  readonly #fold: NumberFold;

  constructor(field: string, as: string, fold: NumberFold) {
    this.#field = field;
    this.#as = as;
    this.#fold = fold;
  }

  push(row: Fields): void {
    const value = readField(row, this.#field);
    const number = value === undefined ? undefined : parseNumber(value);
    if (number !== undefined) this.#fold.add(number);
  }

  from(table: EventTable): TakeEvent {
    const fold = this.#fold;
    const numberAt = table.column(this.#field).numberReader();
    return (index) => {
      const number = numberAt(index);
      if (!Number.isNaN(number)) fold.add(number);
    };
  }

  rows(): readonly Fields[] {
    const result = this.#fold.result();
    return singleField(this.#as, toText(result));
  }
}
