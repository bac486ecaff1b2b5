import { MAX_STANDSTILLS } from '../time-limit.ts';
import { QueryStuckError } from './query-limits.ts';

/**
 * Computes again, from the beginning, what was stopped because the machine stood still: a laptop that slept, a virtual
 * machine that was moved, a container that had used up its share of the processor.
 */
export async function despiteStandstills<Result>(compute: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries++) {
    try {
      return await compute();
    } catch (error) {
      if (!isWorthRetry(error, retries)) throw error;
    }
  }
}

/** Whether what failed may succeed when it is begun again, after so many retries. */
export function isWorthRetry(error: unknown, retries: number): boolean {
  return error instanceof QueryStuckError && error.isStandstill && retries < MAX_STANDSTILLS;
}
