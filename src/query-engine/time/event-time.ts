import { type Fields, readField } from '../event.ts';
import { parseNumber } from '../value.ts';

/** The time of a row in epoch milliseconds; `undefined` without `@timestamp`. */
export function timeOf(row: Fields, field = '@timestamp'): number | undefined {
  const value = readField(row, field);
  return value === undefined ? undefined : parseNumber(value);
}
