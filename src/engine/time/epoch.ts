import { MAX_EPOCH_MS } from '../../core/epoch.ts';

/** Whether a number is a valid epoch time for dates, time zones and buckets. */
export function isMoment(epochMs: number): boolean {
  return Math.abs(epochMs) <= MAX_EPOCH_MS;
}
