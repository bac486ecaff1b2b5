import { metered } from '../run/event-cost.ts';
import type { RunScope } from '../run/run-context.ts';
import type { Value } from '../value.ts';
import { toNumber } from '../value.ts';
import type { EventTest } from './column-test.ts';
import type { EventTable, Values } from './event-table.ts';

export interface Expression {
  /** The fields it reads, as far as known; their columns are loaded in advance. */
  readonly reads: readonly string[];
  /** Its values for the events of a table. */
  over(table: EventTable, run: RunScope): Values;
}

export interface Predicate {
  /** See {@link Expression.reads}. */
  readonly reads: readonly string[];
  /** Its test for the events of a table. */
  over(table: EventTable, run: RunScope): EventTest;
}

/** Values that are computed when they are read. */
export function computedValues(at: (index: number) => Value): Values {
  return { at, numberReader: () => (index) => toNumber(at(index)) ?? Number.NaN };
}

/** An expression over the values of other expressions; an absent part has no value. */
export function computed<Parts extends readonly (Expression | undefined)[]>(
  parts: Parts,
  compute: (...values: { [K in keyof Parts]: Value }) => Value,
): Expression {
  return {
    reads: readsOfAll(parts),
    over(table, run) {
      const values = parts.map((part) => part?.over(table, run));
      return computedValues((index) =>
        compute(...(values.map((each) => valueAt(each, index)) as { [K in keyof Parts]: Value })),
      );
    },
  };
}

function valueAt(values: Values | undefined, index: number): Value {
  const value = values?.at(index);
  return typeof value === 'string' ? metered(value) : value;
}

/** The fields that all of these read. */
export function readsOfAll(
  readers: readonly ({ readonly reads?: readonly string[] } | undefined)[],
): readonly string[] {
  return [...new Set(readers.flatMap((reader) => reader?.reads ?? []))];
}
