/** The furthest moments from 1970 that a `Date` can hold, in epoch milliseconds. */
export const MAX_EPOCH_MS = 8.64e15;

/** Whether a number can be a moment: dates, time zones and buckets have no answer for any other. */
export function isMoment(epochMs: number): boolean {
  return Math.abs(epochMs) <= MAX_EPOCH_MS;
}
