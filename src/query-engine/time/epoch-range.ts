/** The maximum distance from 1970 that a `Date` supports, in milliseconds. */
export const MAX_EPOCH_MS = 8.64e15;

/** Whether a number is a valid epoch time for dates, time zones and buckets. */
export function isMoment(epochMs: number): boolean {
  return Math.abs(epochMs) <= MAX_EPOCH_MS;
}
