import { usageFailure } from '../output/command-failure.ts';
import type { Flag } from '../output/flag.ts';
import { pointInTime } from '../output/flag-values.ts';

/** The time range of a query. */
export interface TimeFlags {
  readonly since?: number | string;
  readonly from?: number | string;
  readonly to?: number | string;
}

export interface Interval {
  /** In a format that queries accept; `undefined` if not set. */
  readonly start: number | string | undefined;
  readonly end: number | string | undefined;
}

export function timeFlags(defaults: string): readonly Flag[] {
  return [
    ['-s, --since <time>', `How far back to search: 15m, 2h, "7 days". ${defaults}`, pointInTime],
    [
      '--from <time>',
      'Start time: 2026-11-20T10:00, epoch milliseconds, or a relative time such as 2h.',
      pointInTime,
      'since',
    ],
    ['--to <time>', 'End time, in the same formats as --from. Default: now.', pointInTime, 'live'],
  ];
}

/** @throws CommandFailure if the end is before the start. */
export function intervalOf({ since, from, to }: TimeFlags): Interval {
  const start = since ?? from;
  if (typeof start === 'number' && typeof to === 'number' && start > to) {
    throw usageFailure('--from must be before --to.');
  }
  return { start, end: to };
}
