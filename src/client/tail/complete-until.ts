import { DAY_MS } from '../../core/epoch.ts';
import type { QueryMetadata } from '../../core/wire/query.ts';

/** Without a report of the service: how long it takes until queries find new events. */
const INDEXING_MS = 10_000;

/** Events that arrived up to this time, epoch milliseconds, are in the result if they match. */
export function completeUntil({ queryEnd, digestFlow }: QueryMetadata): number {
  // An implausible end must not make the tail skip events.
  const now = queryEnd < Date.now() + DAY_MS ? queryEnd : Date.now();
  const { minIngestTimeIncluded = 0, ingestTimeKnownGood = 0 } = digestFlow ?? {};
  const reported = Math.min(minIngestTimeIncluded, ingestTimeKnownGood);
  // The millisecond of the query has not ended.
  return reported > 0 ? Math.min(reported, now - 1) : now - INDEXING_MS;
}
