import { type Fields, readField } from '../event.ts';
import { parseNumber } from '../value.ts';

/** The sum of all numbers in the given columns, for ranking groups and series. */
export function numericTotal(rows: readonly Fields[], columns: readonly string[] | undefined): number {
  let total = 0;
  for (const row of rows) {
    for (const name of columns ?? Object.keys(row)) {
      total += parseNumber(readField(row, name) ?? '') ?? 0;
    }
  }
  return total;
}
