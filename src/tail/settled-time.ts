import type { QueryMetadata } from '../wire/query.ts';

/** Without a report of the service: how long events may take from arrival until queries find them. */
const SETTLE_MS = 10_000;

/** Events that arrived up to this time, epoch milliseconds, are in the result if they match. */
export function settledTime({ queryEnd, digestFlow }: QueryMetadata): number {
  // A nonsensical end must not let the tail skip what arrives until then.
  const now = queryEnd < Date.now() + MAX_CLOCK_SKEW_MS ? queryEnd : Date.now();
  const { minIngestTimeIncluded = 0, ingestTimeKnownGood = 0 } = digestFlow ?? {};
  const reported = Math.min(minIngestTimeIncluded, ingestTimeKnownGood);
  // The millisecond of the query is not over yet.
  return reported > 0 ? Math.min(reported, now - 1) : now - SETTLE_MS;
}

const MAX_CLOCK_SKEW_MS = 24 * 60 * 60_000;
