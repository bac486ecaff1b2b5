import type { Fields } from '../event.ts';
import type { RunScope } from '../run/run-context.ts';
import type { Value } from '../value.ts';
import type { Verdict } from './column-test.ts';
import { computedValues, computeOnce, memoizeLast } from './computed.ts';
import type { Column, EventTable } from './event-table.ts';
import type { Expression, Predicate } from './expression.ts';

/** An expression as a function of a row, which must not modify or keep the row. */
export function rowExpression(
  compute: (row: Fields, run: RunScope) => Value,
  fields: readonly string[],
): Expression {
  return { over: (table, run) => computedValues(overRows(table, fields, (row) => compute(row, run))) };
}

/** A filter as a function of a row, which must not modify or keep the row. */
export function rowPredicate(
  test: (row: Fields, run: RunScope) => Verdict,
  fields: readonly string[],
): Predicate {
  return { over: (table, run) => overRows(table, fields, (row) => test(row, run)) };
}

/**
 * Runs a function of a row on a table, without creating rows if possible: the fields in `expected` are read from
 * columns. When the function reads another field, or lists all of them, the row of that event is created.
 *
 * Until then, events with the same values in these columns share a result.
 */
export function overRows<Result>(
  table: EventTable,
  expected: readonly string[],
  compute: (row: Fields) => Result,
): (index: number) => Result {
  const columns = new Map<PropertyKey, Column>(expected.map((name) => [name, table.column(name)]));
  const rowAt = memoizeLast((index) => table.row(index));
  let current = 0;
  let readsOthers = false;
  const whole = (): Fields => {
    readsOthers = true;
    return rowAt(current);
  };
  const view = new Proxy<Fields>(
    {},
    {
      get: (_target, name) => {
        const column = columns.get(name);
        return column === undefined ? Reflect.get(whole(), name) : column.at(current);
      },
      has: (_target, name) => Reflect.has(whole(), name),
      ownKeys: () => Reflect.ownKeys(whole()),
      getOwnPropertyDescriptor(_target, name) {
        const row = whole();
        if (!Object.hasOwn(row, name)) return undefined;
        return { value: Reflect.get(row, name), writable: true, enumerable: true, configurable: true };
      },
    },
  );
  const computeAt = (index: number): Result => {
    current = index;
    return compute(view);
  };
  const once = computeOnce(table, [...columns.values()], computeAt);
  const each = memoizeLast(computeAt);
  return (index) => (readsOthers ? each(index) : once(index));
}
