import { copyFields, type Fields, writeField } from '../event.ts';
import type { RunScope } from '../run/run-context.ts';
import type { CallSite } from '../signature/call-site.ts';

/** Sequence functions use neighboring rows, so the rows must have an order. */
export function requireOrder(name: string, call: CallSite): void {
  if (call.scope.isAfterAggregate) return;
  call.fail(`${name}() needs ordered rows: put an aggregate function such as head() or sort() before it`);
}

/** Joins a row and the result of an aggregate over its neighbors, which must be at most one row. */
export function withResult(row: Fields, results: readonly Fields[], name: string, run: RunScope): Fields {
  const [result, ...others] = results;
  if (others.length > 0) {
    run.warn(
      `${name}() uses only the first row that its function returns. Use a function that returns one row.`,
    );
  }
  if (result === undefined) return row;
  const combined = copyFields(row);
  for (const field of Object.keys(result)) writeField(combined, field, result[field]!);
  return combined;
}
