import { isDecimal } from '../../core/number-columns.ts';

export type Unit = 'ms' | 'bytes' | '%';

const UNITS: readonly (readonly [RegExp, Unit])[] = [
  [/(?:^|[._\s])(?:ms|millis|milliseconds)$|Ms$|responseTime$/, 'ms'],
  [/(?:^|[._\s])bytes$|Bytes$|(?:^|[._\s])content[-_]?length$/, 'bytes'],
  [/(?:^|[._\s])(?:percent|pct)$|Percent$|%$/, '%'],
];

/** Durations whose unit is not known: programs log seconds, milliseconds or nanoseconds. */
export const DURATION = /(?:^|[._\s])(?:duration|elapsed|latency|took)$/i;

/** The unit of a field, if its name contains it. */
export function unitOf(name: string): Unit | undefined {
  return UNITS.find(([pattern]) => pattern.test(name))?.[1];
}

export function isNumber(value: string | number | undefined): boolean {
  return value !== undefined && isDecimal(String(value));
}
