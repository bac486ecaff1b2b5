import type { Instant } from './written-time.ts';

/** Digits to append for milliseconds: a second is 1,000 ms. */
const MISSING_DIGITS = { seconds: 3, millis: 0, micros: -3, nanos: -6 } as const;

export type EpochUnit = keyof typeof MISSING_DIGITS;

/** Parses an epoch time, with or without a fraction; `undefined` if it is not a number of at most 20 digits. */
export function readEpoch(text: string, unit: EpochUnit): Instant | undefined {
  const [, whole, fraction = ''] = /^(\d{1,20})(?:\.(\d{1,20}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  // Moves the decimal point in the text, because a double would lose digits.
  const point = whole.length + MISSING_DIGITS[unit];
  const digits = '0'.repeat(Math.max(0, -point)) + (whole + fraction).padEnd(point, '0');
  const end = Math.max(0, point);
  return {
    epochMs: Number(digits.slice(0, end)),
    nanos: Number(digits.slice(end).padEnd(6, '0').slice(0, 6)),
  };
}
