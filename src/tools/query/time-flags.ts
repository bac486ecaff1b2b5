import type { Flag } from '../output/flag.ts';
import { pointInTime } from '../output/flag-values.ts';

/** The time range of a query. */
export interface TimeFlags {
  readonly since?: string;
  readonly from?: string;
  readonly to?: string;
  /** Of times that name none. */
  readonly timezone?: string;
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
    ['--to <time>', 'End (included), as in --from; a date is its start. Default: now.', pointInTime, 'live'],
  ];
}
