import type { Command } from 'commander';
import { usageFailure } from '../command-failure.ts';
import { pointInTime } from '../flag-values.ts';

/** The interval that a query looks at. */
export interface TimeFlags {
  readonly since?: number | string;
  readonly from?: number | string;
  readonly to?: number | string;
}

export interface Interval {
  /** As a query takes it; `undefined` if it is not said. */
  readonly start: number | string | undefined;
  readonly end: number | string | undefined;
}

export function addTimeFlags(command: Command, defaults: string): Command {
  return command
    .option('-s, --since <time>', `Look back so far: 15m, 2h, "7 days". ${defaults}`, pointInTime)
    .option(
      '--from <time>',
      'Where to begin: a time such as 2026-11-20T10:00, epoch milliseconds, or as --since.',
      pointInTime,
    )
    .option('--to <time>', 'Where to end, as --from. Default: now.', pointInTime);
}

/** @throws CommandFailure for flags that contradict each other. */
export function intervalOf({ since, from, to }: TimeFlags): Interval {
  if (since !== undefined && from !== undefined) {
    throw usageFailure('--since and --from exclude each other; pass one of them.');
  }
  const start = since ?? from;
  if (typeof start === 'number' && typeof to === 'number' && start > to) {
    throw usageFailure('--from is after --to.');
  }
  return { start, end: to };
}
