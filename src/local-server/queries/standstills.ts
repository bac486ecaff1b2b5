import { QueryStuckError } from './query-limits.ts';

/** How often a query is begun again. */
const MAX_RETRIES = 2;

/**
 * Computes again, from the beginning, what was stopped because the machine stood still: a laptop that slept, a virtual
 * machine that was moved, a container that had used up its share of the processor.
 */
export async function despiteStandstills<Result>(compute: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries++) {
    try {
      return await compute();
    } catch (error) {
      if (retries === MAX_RETRIES || !(error instanceof QueryStuckError && error.isStandstill)) throw error;
    }
  }
}
