import { type EventTest, withColumns } from '../columns/column-test.ts';
import type { EventTable } from '../columns/event-table.ts';
import type { Predicate } from '../compiler/scope.ts';
import { expression } from '../signature/argument-types.ts';
import { defineFilter, required } from '../signature/function-spec.ts';
import { toBoolean } from '../value.ts';

/** Keeps events for which an expression is true; null counts as false. */
export const test = defineFilter({
  name: 'test',
  parameters: { expression: required(expression, { unnamed: true }) },
  compile: ({ expression: evaluate }) => {
    const test: Predicate = (row, stored, run) => toBoolean(evaluate(row, stored, run)) === true;
    const { reads, valuesIn } = evaluate;
    if (valuesIn === undefined) return { test };
    const inTable = (table: EventTable): EventTest => {
      const valueAt = valuesIn(table);
      return (index) => toBoolean(valueAt(index)) === true;
    };
    return { test: withColumns(test, { reads, inTable }) };
  },
});
