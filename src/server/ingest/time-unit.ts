import type { EventBatch } from '../store/event-batch.ts';

const YEAR_2000 = Date.UTC(2000, 0);
const YEAR_2100 = Date.UTC(2100, 0);

export type TimeUnit = 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds';

/** Events of a request whose times make sense only in another unit. */
export interface MistakenTimes {
  /** The unit in which they were probably sent. */
  readonly sent: TimeUnit;
  /** The unit in which they were read. */
  readonly read: TimeUnit;
  readonly count: number;
  /** Index of the first one. */
  readonly first: number;
}

/**
 * Finds times that are off by a factor of 1,000 from the years 2000 to 2100. Such events are stored, as on the service,
 * but no query for a recent interval finds them.
 *
 * @param read unit in which the endpoint reads times.
 */
export function mistakenTimes(events: EventBatch, read: Exclude<TimeUnit, 'microseconds'>): MistakenTimes[] {
  const none = (sent: TimeUnit) => ({ sent, read, count: 0, first: 0 });
  const tooSmall = none(read === 'nanoseconds' ? 'microseconds' : 'seconds');
  const tooLarge = none(read === 'seconds' ? 'milliseconds' : 'microseconds');
  for (let index = 0; index < events.length; index++) {
    const time = events.timestampAt(index);
    if (isPlausible(time)) continue;
    const mistake = isPlausible(time * 1000) ? tooSmall : isPlausible(time / 1000) ? tooLarge : undefined;
    if (mistake !== undefined && mistake.count++ === 0) mistake.first = index;
  }
  // No program counts in thousands of seconds.
  return (read === 'seconds' ? [tooLarge] : [tooSmall, tooLarge]).filter(({ count }) => count > 0);
}

function isPlausible(time: number): boolean {
  return time >= YEAR_2000 && time < YEAR_2100;
}
