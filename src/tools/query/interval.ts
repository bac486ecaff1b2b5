import { readDuration } from '../../core/duration.ts';
import { timeZoneOrUtc } from '../../core/time-zone.ts';
import { usageFailure } from '../output/command-failure.ts';
import { timeAt } from '../output/flag-values.ts';
import type { TimeFlags } from './time-flags.ts';

export interface Interval {
  /** In a format that queries accept; `undefined` if not set. */
  readonly start: number | string | undefined;
  readonly end: number | string | undefined;
}

/** @throws CommandFailure if the end is before the start. */
export function intervalOf({ since, from = since, to, timezone }: TimeFlags): Interval {
  const zone = timezone === undefined ? undefined : timeZoneOrUtc(timezone);
  const [start, end] = [from, to].map((time) => (time === undefined ? time : timeAt(time, zone)));
  if (isReversed({ start, end })) throw usageFailure('--from must be before --to.');
  return { start, end };
}

/** Whether the end is before the start. */
export function isReversed({ start, end }: Partial<Interval>): boolean {
  const [from = Number.NaN, to = Number.NaN] = [start, end].map((time) => {
    if (typeof time !== 'string') return time;
    return Date.now() - (time === 'now' ? 0 : (readDuration(time.toLowerCase()) ?? Number.NaN));
  });
  return from > to;
}
