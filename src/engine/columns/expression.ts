import { metered } from '../run/event-cost.ts';
import type { RunScope } from '../run/run-context.ts';
import { parseNumber, toNumber, type Value } from '../value.ts';
import type { EventTest } from './column-test.ts';
import { computedValues, computeOnce } from './computed.ts';
import type { EventTable, Values } from './event-table.ts';

export interface Expression {
  /** Its values for the events of a table. */
  over(table: EventTable, run: RunScope): Values;
}

export interface Predicate {
  /** Its test for the events of a table. */
  over(table: EventTable, run: RunScope): EventTest;
}

/** The same value for every event. */
export function constant(value: Value): Expression {
  const number = toNumber(value) ?? Number.NaN;
  const distinct = { count: 1, idAt: () => 0 };
  return { over: () => ({ at: () => value, numberReader: () => () => number, distinct }) };
}

export function fieldValue(name: string): Expression {
  return { over: (table) => table.column(name) };
}

/** Converts the string in a field; null if the field is missing. */
export function converted(field: string, convert: (text: string, run: RunScope) => Value): Expression {
  return {
    over: (table, run) => computedValues(ofField(table, field, (text) => convert(text, run))),
  };
}

/** Converts the number in a field; null if it is not a number. */
export function convertedNumber(field: string, convert: (number: number) => Value): Expression {
  return converted(field, (text) => {
    const number = parseNumber(text);
    return number === undefined ? undefined : convert(number);
  });
}

/** Computes something from the string in a field, once per distinct value; `undefined` if the field is missing. */
export function ofField<Result>(
  table: EventTable,
  name: string,
  compute: (text: string) => Result | undefined,
): (index: number) => Result | undefined {
  const column = table.column(name);
  return computeOnce(table, [column], (index) => {
    const text = column.at(index);
    return text === undefined ? undefined : compute(metered(text));
  });
}

/** Converts the strings in some fields, `undefined` for a missing one. Faster than a function of a row. */
export function convertedFields(
  names: readonly string[],
  convert: (texts: readonly (string | undefined)[]) => Value,
): Expression {
  return {
    over(table) {
      const columns = names.map((name) => table.column(name));
      const textsAt = (index: number) =>
        columns.map((column) => {
          const text = column.at(index);
          return text === undefined ? undefined : metered(text);
        });
      return computedValues(computeOnce(table, columns, (index) => convert(textsAt(index))));
    },
  };
}

/** An expression over the values of other expressions; an absent part has no value. */
export function computed<Parts extends readonly (Expression | undefined)[]>(
  parts: Parts,
  compute: (...values: { [K in keyof Parts]: Value }) => Value,
): Expression {
  return {
    over(table, run) {
      const values = parts.map((part) => part?.over(table, run));
      const computeAt = (index: number): Value =>
        compute(...(values.map((each) => valueAt(each, index)) as { [K in keyof Parts]: Value }));
      return computedValues(computeOnce(table, values, computeAt));
    },
  };
}

function valueAt(values: Values | undefined, index: number): Value {
  const value = values?.at(index);
  return typeof value === 'string' ? metered(value) : value;
}
