import { type Fields, readField } from '../event.ts';
import { parseNumber } from '../value.ts';

/** When a row happened, in epoch milliseconds; `undefined` when it has no `@timestamp`. */
export function timeOf(row: Fields, field = '@timestamp'): number | undefined {
  const value = readField(row, field);
  return value === undefined ? undefined : parseNumber(value);
}
