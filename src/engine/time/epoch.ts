import { MAX_EPOCH_MS } from '../../core/epoch.ts';
import { type Fields, readField } from '../event.ts';
import { parseNumber } from '../value.ts';

/** Whether a number is a valid epoch time for dates, time zones and buckets. */
export function isMoment(epochMs: number): boolean {
  return Math.abs(epochMs) <= MAX_EPOCH_MS;
}

/** The time of a row in epoch milliseconds; `undefined` without `@timestamp`. */
export function timeOf(row: Fields, field = '@timestamp'): number | undefined {
  const value = readField(row, field);
  return value === undefined ? undefined : parseNumber(value);
}
