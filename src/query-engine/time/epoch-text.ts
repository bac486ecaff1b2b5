import type { Instant } from './written-time.ts';

/** For each unit how many digits of it make up a millisecond: 1,000 ms are 1 s, so 3 digits are missing. */
const MISSING_DIGITS = { seconds: 3, millis: 0, micros: -3, nanos: -6 } as const;

export type EpochUnit = keyof typeof MISSING_DIGITS;

/** Reads a time since 1970, with a fraction or without; `undefined` when it is no number of at most 20 digits. */
export function readEpoch(text: string, unit: EpochUnit): Instant | undefined {
  const [, whole, fraction = ''] = /^(\d{1,20})(?:\.(\d{1,20}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  // Moving the decimal point loses no digit, where a double would.
  const point = whole.length + MISSING_DIGITS[unit];
  const digits = '0'.repeat(Math.max(0, -point)) + (whole + fraction).padEnd(point, '0');
  const end = Math.max(0, point);
  return {
    epochMs: Number(digits.slice(0, end)),
    nanos: Number(digits.slice(end).padEnd(6, '0').slice(0, 6)),
  };
}
